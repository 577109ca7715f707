package dev.bluebell.hca;

import dev.bluebell.hca.command.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Serves other processes, beside {@link Hca}: offers registers in memory that is shared with them,
 * and work requests that reach their memory. Software devices only; hardware has the kernel for
 * this. All methods may be called by any thread.
 */
public interface HcaHosting {

  /**
   * Gives one of several programs the device: what is made through the result has turns of its own,
   * and commands through it wait for those of other programs no longer than each of those does.
   *
   * @return the same device; closing it gives the share back, and closes neither the device nor
   *     what was made
   */
  Hca openClient();

  /**
   * Allocates a UAR page in memory that the caller shares with another process.
   *
   * @param page 4096 bytes, zero, at a multiple of 4096; nobody may unmap them while the page
   *     exists
   */
  HcaUar allocateUar(MemorySegment page) throws HcaException;

  /**
   * Registers memory of another process for work requests.
   *
   * @param domain a protection domain of this device
   * @param memory how the device reaches it
   * @param from address of the first byte in the other process
   * @param length bytes, from 0
   * @param address the address by which work requests name the first byte
   * @param access bits of {@link HcaAccess}
   */
  HcaMemory registerMemory(
      HcaObject domain, HcaForeignMemory memory, long from, long length, long address, int access)
      throws HcaException;

  /**
   * Lets the keys of registered memory mean something else: other memory, another domain, other
   * rights. Requests that are executed from now on see it; a refused call changes nothing.
   *
   * @param registered memory of {@link #registerMemory}, not closed
   * @param domain as for {@link #registerMemory}, and so all other arguments
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
   * Makes memory of another process known to the device by a number, for memory keys that commands
   * create over it. Queues can't lie there.
   *
   * @param from address of the first byte in the other process
   * @param length bytes, from 0
   */
  HcaUmem registerUmem(HcaForeignMemory memory, long from, long length) throws HcaException;

  /**
   * Lets a word of memory show the device's clock: big endian, in the units of {@link Hca#clock}.
   * It moves whenever the device looks for work, so no completion has a later timestamp than it
   * showed when the completion was there to be seen; while the device rests it stands still.
   *
   * @param word 8 bytes at a multiple of 8, which the caller may share with other processes; nobody
   *     may unmap them until the returned object is closed
   */
  ShownClock showClock(MemorySegment word) throws HcaException;

  /** A word that shows the clock until this is closed. */
  interface ShownClock extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Lets the device's thread come before programs that spin, while they and it are more than the
   * processors of the machine. It then never spins, rests for a quarter of the time, and is one
   * like others when it has worked for 10 ms: who comes first must leave others time. A device that
   * was opened to have no precedence has none all the same.
   *
   * @param precedence how
   */
  void precede(HcaPrecedence precedence);

  /** Gives an observer the explanations, until the device is closed. */
  void observe(HcaObserver observer);

  /**
   * Waits until the turn is over that the device is in: observers have then heard of all that led
   * to the completions and events which the caller has seen.
   */
  void awaitTurn();

  /** Chooses objects of the device. */
  interface ObjectFilter {
    boolean takes(ObjectKind kind, int number);
  }

  /**
   * The lines of {@link HcaDiagnosis#objects} about objects that a filter takes, and the others.
   */
  List<String> objects(ObjectFilter filter);

  /**
   * Switches the recording of whole WQEs and CQEs on or off for one queue pair, as {@link
   * HcaDiagnosis#trace} does for all; off is the default.
   *
   * @param qpn 24 bits
   */
  void trace(int qpn, boolean on);

  /** The entries of {@link HcaDiagnosis#happenings} that a filter takes, oldest first. */
  List<HcaHappening> happenings(HcaObserver.Filter filter);
}
