package dev.bluebell.hca;

import java.util.Optional;

/**
 * Gives the thread of a software device precedence over other threads of the machine, where the
 * process may do so, see {@link HcaHosting#precede}. Thread-safe.
 */
public interface HcaPrecedence {
  /**
   * Gives the calling thread precedence.
   *
   * @return what the thread has now; empty when this process may not do so
   */
  Optional<Held> take();

  /**
   * Gives the calling thread precedence for good over those that {@linkplain #take take} it, as far
   * as this process may do so. It is for a thread that uses next to no processor time, and that
   * ends the precedence of a thread that is stuck.
   */
  void watch();

  /** The precedence of a thread. */
  interface Held {
    /**
     * Moves the thread to another processor if it may run on several. The kernel moves threads away
     * from a processor that another thread occupies; a thread that uses some of each processor
     * leaves them where they are. The thread itself calls this.
     */
    void move();

    /** Gives the precedence up. Any thread may call this. */
    void giveUp();
  }
}
