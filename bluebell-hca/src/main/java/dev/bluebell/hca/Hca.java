package dev.bluebell.hca;

import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A ConnectX device as one process sees it: PRM commands, and what remains beside commands on
 * hardware and in software alike.
 *
 * <p>Control goes through {@link #create} and {@link #execute}; data goes through memory alone:
 * work queues and completion queues in umems, doorbell records beside them, and the registers of a
 * {@link HcaUar}.
 *
 * <p>All methods may be called by any thread. Whatever a command contains, the answer is an output,
 * or an {@link HcaException} that carries one; a device never touches memory that was not
 * registered with it.
 */
public interface Hca extends AutoCloseable {

  /** Name of the device, such as {@code soft} or {@code mlx5_0}. */
  String name();

  /** What the device calls itself; a software device, unless it says otherwise. */
  default HcaIdentity identity() {
    return HcaIdentity.SOFTWARE;
  }

  /**
   * Creates an object: a CREATE_* command.
   *
   * @param command the input, see {@link dev.bluebell.hca.command}; not modified. The device fills
   *     in uid and, as the kernel does for DevX, leaves the umem-valid bits as given.
   * @throws HcaException when the device refuses; nothing was created
   */
  HcaObject create(byte[] command) throws HcaException;

  /**
   * Executes a query that belongs to no object, such as QUERY_HCA_CAP. Commands that create, modify
   * or destroy objects are refused: they go through {@link #create} and {@link HcaObject}.
   *
   * @return the output, its status OK
   * @throws HcaException when the device refuses
   */
  byte[] execute(byte[] command) throws HcaException;

  /** Allocates a protection domain; its {@link HcaObject#number} is the PD number of contexts. */
  HcaObject allocateProtectionDomain() throws HcaException;

  /**
   * Allocates a UAR page for doorbells of 8 bytes. On hardware it is not cached: each doorbell goes
   * out at once.
   */
  HcaUar allocateUar() throws HcaException;

  /**
   * Allocates a UAR page whose registers also take copies of requests. On hardware it is
   * write-combining: what is written there goes out at the next full fence.
   */
  default HcaUar allocateBlueFlameUar() throws HcaException {
    return allocateUar();
  }

  /**
   * Allocates memory that the device reaches best: for queues, for doorbell records, and for data
   * where that is wanted. A device in another process shares it with that process.
   *
   * @param bytes at least 1
   * @return zeroed memory of {@code bytes} bytes that begins at a multiple of 4096, freed some time
   *     after nothing refers to it any more
   * @throws HcaException when there is no more
   */
  default MemorySegment allocate(long bytes) throws HcaException {
    return Arena.ofAuto().allocate(bytes, 4096);
  }

  /**
   * Allocates memory of the device itself, which this process reaches through a window.
   *
   * @param command ALLOC_MEMIC, as for {@link #create}
   * @param window the bytes of the device's BAR, as this allocation sees them: {@code
   *     memic_bar_size} bytes at a multiple of 4096, of memory as for {@link #registerUmem}. The
   *     allocated ones keep what they hold, and nobody may unmap them before the memory is freed.
   *     The others are not touched.
   * @return the memory; its address in the BAR is in the output, and is its number too
   * @throws UnsupportedOperationException when the device claims no memory of its own
   */
  default HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) throws HcaException {
    throw new UnsupportedOperationException(name() + " has no memory of its own");
  }

  /**
   * Registers memory of the device itself for work requests, which name its first byte by 0.
   *
   * @param domain a protection domain of this device
   * @param memory of {@link #allocateDeviceMemory}
   * @param bytes how many, from its start
   * @param access bits of {@link HcaAccess}, without remote invalidation
   */
  default HcaMemory registerDeviceMemory(HcaObject domain, HcaObject memory, long bytes, int access)
      throws HcaException {
    long address = View.over(memory.output()).get(AllocMemicOut.MEMIC_START_ADDR);
    return DeviceMemoryKey.create(this, domain.number(), address, bytes, access);
  }

  /**
   * Makes a range of this process's memory known to the device, for queues and doorbell records.
   *
   * @param memory native memory that nobody can free while the umem exists: automatic or global. A
   *     device in another process takes only memory of {@link #allocate}. The umem keeps it
   *     reachable.
   */
  HcaUmem registerUmem(MemorySegment memory) throws HcaException;

  /**
   * Registers memory for work requests.
   *
   * @param domain a protection domain of this device
   * @param memory native memory that nobody can free while it is registered: automatic or global.
   *     The registration keeps it reachable.
   * @param address the address by which work requests name the first byte, usually {@code
   *     memory.address()}; 0 for a zero-based region
   * @param access bits of {@link HcaAccess}
   */
  HcaMemory registerMemory(HcaObject domain, MemorySegment memory, long address, int access)
      throws HcaException;

  /**
   * Number of the event queue that serves a completion vector, for the {@code c_eqn} field of a CQ
   * context.
   */
  int eventQueueNumber(int vector) throws HcaException;

  /** Completion vectors that {@link #eventQueueNumber} accepts: 0 … this number − 1. */
  int completionVectors();

  /** Resolves the way to a peer, for the address path of a queue pair. */
  HcaPath resolve(int port, int gidIndex, Gid destination) throws HcaException;

  /** Opens a channel for completion and asynchronous events. */
  HcaEventChannel openEventChannel() throws HcaException;

  /** State of a port; ports are numbered from 1. */
  HcaPort queryPort(int port) throws HcaException;

  /** An entry of a port's GID table; the all-zero GID when the entry is empty. */
  Gid queryGid(int port, int index) throws HcaException;

  /**
   * What the counters of port 1 are now, those of a kind at the same moment.
   *
   * @return those that the device has, in the order of their declaration
   * @throws HcaException when the device does not answer
   */
  default Map<PortCounter, Long> counters() throws HcaException {
    return PortCounters.read(this::execute);
  }

  /**
   * The device clock, which also stamps completions: cycles since an arbitrary start, at {@code
   * device_frequency_khz} of the caps.
   */
  long clock();

  /**
   * Gives a device without a thread the chance to work, and wakes a thread of the device that
   * sleeps. Cheap when there is nothing to do; hardware does nothing here. Pollers call it once for
   * each poll that finds nothing.
   *
   * @return how much was done; 0 for nothing, also when another thread has the device
   */
  int progress();

  /** Explanations and inspection, which only software devices have. */
  Optional<HcaDiagnosis> diagnosis();

  /** The interface for serving other processes, which only software devices have. */
  default Optional<HcaHosting> hosting() {
    return Optional.empty();
  }

  /**
   * Leaves all that was made through this handle on the device, and closes the handle: objects and
   * memory live on without this program, as long as the device does or until they are removed.
   *
   * @param name by which {@link #residents} know it: 1 … 64 letters, digits, dots, dashes or
   *     underscores
   * @param notice what those shall know who come later, at most 8192 characters
   * @return a token that shows who left it: {@link HcaResidents#remove} and {@link
   *     HcaResidents#diagnose} ask for it
   * @throws UnsupportedOperationException when the device lives no longer than this program
   * @throws HcaException when the device refuses; this handle is as before
   */
  default long handOver(String name, String notice) throws HcaException {
    throw new UnsupportedOperationException(
        "device %s ends with this process; open the device of a device process, socket:PATH"
            .formatted(name()));
  }

  /** What programs have left; only a device that outlives programs knows. */
  default Optional<HcaResidents> residents() {
    return Optional.empty();
  }

  /**
   * Closes the device. Objects that still exist are destroyed; the memory they named is not touched
   * afterwards. Idempotent.
   */
  @Override
  void close();
}
