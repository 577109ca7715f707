package dev.bluebell.hca;

import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.VportCommands;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A ConnectX device as one process sees it: PRM commands, and the operations that both hardware and
 * software need in addition.
 *
 * <p>Control goes through {@link #create} and {@link #execute}; data goes only through memory: work
 * queues and completion queues in umems, doorbell records beside them, and the registers of a
 * {@link HcaUar}.
 *
 * <p>Any thread may call any method. For any command, however malformed, the answer is an output or
 * an {@link HcaException} that carries one. A device never accesses memory that was not registered
 * with it.
 */
public interface Hca extends AutoCloseable {

  /** Name of the device, such as {@code soft} or {@code mlx5_0}. */
  String name();

  /** Identity of the device; by default, that of a software device. */
  default HcaIdentity identity() {
    return HcaIdentity.SOFTWARE;
  }

  /**
   * True when a processor executes the requests, and false for a card. The lines of a queue then
   * move between the caches of two processors, so the driver copies many requests into a ring at
   * once.
   */
  default boolean isSoftware() {
    return true;
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
   * Executes a query of the device, such as QUERY_HCA_CAP. Commands that create, modify or destroy
   * objects are refused; use {@link #create} and {@link HcaObject} instead.
   *
   * @return the output, its status OK
   * @throws HcaException when the device refuses
   */
  byte[] execute(byte[] command) throws HcaException;

  /** Allocates a protection domain; its {@link HcaObject#number} is the PD number of contexts. */
  HcaObject allocateProtectionDomain() throws HcaException;

  /**
   * Allocates a UAR page for doorbells of 8 bytes. On hardware it is uncached: each doorbell
   * reaches the device at once.
   */
  HcaUar allocateUar() throws HcaException;

  /**
   * Allocates a UAR page whose registers also take copies of requests. On hardware it is
   * write-combining: writes reach the device at the next full fence.
   */
  default HcaUar allocateBlueFlameUar() throws HcaException {
    return allocateUar();
  }

  /**
   * Allocates memory that the device accesses most cheaply: for queues and doorbell records, and
   * optionally for data. With a device in another process, it is shared with that process.
   *
   * @param bytes at least 1
   * @return zeroed memory of {@code bytes} bytes that begins at a multiple of 4096, freed some time
   *     after nothing refers to it
   * @throws HcaException when memory is exhausted
   */
  default MemorySegment allocate(long bytes) throws HcaException {
    return Arena.ofAuto().allocate(bytes, 4096);
  }

  /**
   * Allocates memory of the device itself, which this process accesses through a window.
   *
   * @param command ALLOC_MEMIC, as for {@link #create}
   * @param window the device's BAR for this allocation: {@code memic_bar_size} bytes at a multiple
   *     of 4096, of memory as for {@link #registerUmem}. The allocated bytes keep their contents
   *     and must stay mapped until the memory is freed. The others are not accessed.
   * @return the memory; its address in the BAR is in the output and is also its number
   * @throws UnsupportedOperationException when the device has no memory of its own
   */
  default HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) throws HcaException {
    throw new UnsupportedOperationException(name() + " has no memory of its own");
  }

  /**
   * Registers device memory for work requests, which address its first byte as 0.
   *
   * @param domain a protection domain of this device
   * @param memory memory from {@link #allocateDeviceMemory}
   * @param bytes number of bytes from its start
   * @param access bits of {@link HcaAccess}, without remote invalidation
   */
  default HcaMemory registerDeviceMemory(HcaObject domain, HcaObject memory, long bytes, int access)
      throws HcaException {
    long address = View.over(memory.output()).get(AllocMemicOut.MEMIC_START_ADDR);
    return DeviceMemoryKey.create(this, domain.number(), address, bytes, access);
  }

  /**
   * Registers a range of this process's memory for queues and doorbell records.
   *
   * @param memory native memory that cannot be freed while the umem exists: automatic or global. A
   *     device in another process accepts only memory from {@link #allocate}. The umem keeps it
   *     reachable.
   */
  HcaUmem registerUmem(MemorySegment memory) throws HcaException;

  /**
   * Registers memory for work requests.
   *
   * @param domain a protection domain of this device
   * @param memory native memory that cannot be freed while it is registered: automatic or global.
   *     The registration keeps it reachable.
   * @param address address of the first byte in work requests, usually {@code memory.address()}; 0
   *     for a zero-based region
   * @param access bits of {@link HcaAccess}
   */
  HcaMemory registerMemory(HcaObject domain, MemorySegment memory, long address, int access)
      throws HcaException;

  /**
   * Registers a DMA-BUF: memory of another device, such as a GPU, that this process names by a file
   * descriptor.
   *
   * @param domain a protection domain of this device
   * @param descriptor the DMA-BUF; the caller may close it afterwards
   * @param offset first byte to register, which is also its address in work requests
   * @param bytes number of bytes to register, at least 1
   * @param access bits of {@link HcaAccess}
   * @throws UnsupportedOperationException when the device cannot access other devices' memory
   */
  default HcaMemory registerDmaBuf(
      HcaObject domain, int descriptor, long offset, long bytes, int access) throws HcaException {
    throw new UnsupportedOperationException(
        name() + " accesses only the memory of processes, not DMA-BUFs");
  }

  /**
   * Number of the event queue that serves a completion vector, for the {@code c_eqn} field of a CQ
   * context.
   */
  int eventQueueNumber(int vector) throws HcaException;

  /** Number of completion vectors; {@link #eventQueueNumber} accepts 0 … this number − 1. */
  int completionVectors();

  /** Resolves the route to a peer, for the address path of a queue pair. */
  HcaPath resolve(int port, int gidIndex, Gid destination) throws HcaException;

  /** Opens a channel for completion and asynchronous events. */
  HcaEventChannel openEventChannel() throws HcaException;

  /** State of a port; ports are numbered from 1. */
  HcaPort queryPort(int port) throws HcaException;

  /** An entry of a port's GID table; the all-zero GID when the entry is empty. */
  Gid queryGid(int port, int index) throws HcaException;

  /** True for an entry of an Ethernet port's GID table whose packets are of RoCE v2. */
  default boolean isRoceV2(int port, int index) throws HcaException {
    return VportCommands.isRoceV2(this::execute, index);
  }

  /**
   * Reads the counters of port 1; those of one kind are read at the same time.
   *
   * @return the counters that the device has, in the order of their declaration
   * @throws HcaException when the device does not answer
   */
  default Map<PortCounter, Long> counters() throws HcaException {
    return PortCounters.read(this::execute);
  }

  /**
   * The device clock, which is also the source of completion timestamps: cycles since an arbitrary
   * start, at {@code device_frequency_khz} of the caps.
   */
  long clock();

  /**
   * Runs a device that has no thread, or wakes the device's sleeping thread. Cheap when there is
   * nothing to do; no effect on hardware. Polling code calls it after each poll that finds no
   * completion.
   *
   * @return amount of work done; 0 when there was none or another thread is running the device
   */
  int progress();

  /** Explanations and inspection, which only software devices offer. */
  Optional<HcaDiagnosis> diagnosis();

  /** The interface for serving other processes, which only software devices offer. */
  default Optional<HcaHosting> hosting() {
    return Optional.empty();
  }

  /**
   * Takes over queue pair 1, whose datagrams connect applications of different devices. Until then,
   * the device itself answers that it has no services.
   *
   * @return empty for a device without a network, or whose queue pair 1 has an owner already
   */
  default Optional<HcaManagement> openManagement() {
    return Optional.empty();
  }

  /**
   * Opens a file of the connection manager, which connects queue pairs of this device with those of
   * other processes. Closing the device closes it.
   *
   * @return empty for a device that is private to this process
   * @throws HcaException when the file cannot be opened
   */
  default Optional<HcaConnectionManager> openConnectionManager() throws HcaException {
    return Optional.empty();
  }

  /**
   * Closes this handle but leaves all its objects on the device: they and their memory outlive this
   * process, until the device ends or they are removed.
   *
   * @param name name of the objects in {@link #residents}: 1 … 64 letters, digits, dots, dashes or
   *     underscores
   * @param notice information for later clients, at most 8192 characters
   * @return a token that identifies the owner, for {@link HcaResidents#remove} and {@link
   *     HcaResidents#diagnose}
   * @throws UnsupportedOperationException when the device ends with this process
   * @throws HcaException when the device refuses; this handle is unchanged
   */
  default long handOver(String name, String notice) throws HcaException {
    throw new UnsupportedOperationException(
        "device %s ends with this process; open the device of a device process, socket:PATH"
            .formatted(name()));
  }

  /** Objects that clients have left; empty for a device that ends with its client. */
  default Optional<HcaResidents> residents() {
    return Optional.empty();
  }

  /**
   * Closes the device. Objects that still exist are destroyed; the device no longer accesses their
   * memory. Idempotent.
   */
  @Override
  void close();
}
