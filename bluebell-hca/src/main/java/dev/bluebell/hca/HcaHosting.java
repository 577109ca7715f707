package dev.bluebell.hca;

import dev.bluebell.hca.command.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Serves other processes, in addition to {@link Hca}: with registers in memory that is shared with
 * them, and work requests that access their memory. Software devices only; for hardware, the kernel
 * does this. Any thread may call any method.
 */
public interface HcaHosting {

  /**
   * Opens the device for one of several clients: the device serves the objects created through the
   * result in their own turns, and delays their commands no longer than those of other clients.
   *
   * @return the same device; closing it returns the share, and closes neither the device nor any
   *     object
   */
  Hca openClient();

  /**
   * Allocates a UAR page in memory that the caller shares with another process.
   *
   * @param page 4096 bytes, zero, at a multiple of 4096, which must stay mapped while the page
   *     exists
   */
  HcaUar allocateUar(MemorySegment page) throws HcaException;

  /**
   * Registers memory of another process for work requests.
   *
   * @param domain a protection domain of this device
   * @param memory access to the memory
   * @param from address of the first byte in the other process
   * @param length bytes, at least 0
   * @param address address of the first byte in work requests
   * @param access bits of {@link HcaAccess}
   */
  HcaMemory registerMemory(
      HcaObject domain, HcaForeignMemory memory, long from, long length, long address, int access)
      throws HcaException;

  /**
   * Changes what the keys of registered memory refer to: memory, domain and rights. Requests that
   * are executed later see the change; a refused call changes nothing.
   *
   * @param registered memory from {@link #registerMemory}, not closed
   * @param domain as for {@link #registerMemory}, like all other arguments
   */
  void reregisterMemory(
      HcaMemory registered,
      HcaObject domain,
      HcaForeignMemory memory,
      long from,
      long length,
      long address,
      int access)
      throws HcaException;

  /**
   * Registers memory of another process under a number, for memory keys that commands create over
   * it. It cannot hold queues.
   *
   * @param from address of the first byte in the other process
   * @param length bytes, at least 0
   */
  HcaUmem registerUmem(HcaForeignMemory memory, long from, long length) throws HcaException;

  /**
   * Shows the device's clock in a word of memory: big-endian, in the units of {@link Hca#clock}. It
   * advances whenever the device looks for work, and stops while the device is idle. When a
   * completion becomes visible, the word is not behind the completion's timestamp.
   *
   * @param word 8 bytes at a multiple of 8, which the caller may share with other processes, and
   *     which must stay mapped until the returned object is closed
   */
  ShownClock showClock(MemorySegment word) throws HcaException;

  /** A word that shows the clock until this object is closed. */
  interface ShownClock extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Gives the device's thread precedence over spinning threads while the machine has too few
   * processors for all. To leave others time, the thread then never spins, sleeps for a quarter of
   * the time, and loses precedence after 10 ms of work. Has no effect on a device that was opened
   * without precedence.
   *
   * @param precedence takes and gives up precedence
   */
  void precede(HcaPrecedence precedence);

  /** Passes explanations to an observer, until the device is closed. */
  void observe(HcaObserver observer);

  /**
   * Waits until the device's current turn ends. Observers have then received all explanations of
   * the completions and events that the caller has seen.
   */
  void awaitTurn();

  /** Selects objects of the device. */
  interface ObjectFilter {
    boolean takes(ObjectKind kind, int number);
  }

  /** The lines of {@link HcaDiagnosis#objects}, except those of objects that a filter rejects. */
  List<String> objects(ObjectFilter filter);

  /**
   * Switches the recording of whole WQEs and CQEs on or off for one queue pair, as {@link
   * HcaDiagnosis#trace} does for all; off is the default.
   *
   * @param qpn 24 bits
   */
  void trace(int qpn, boolean on);

  /** The entries of {@link HcaDiagnosis#happenings} that a filter accepts, oldest first. */
  List<HcaHappening> happenings(HcaObserver.Filter filter);
}
