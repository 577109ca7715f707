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
   * @return the precedence that the thread now has; empty when this process may not take it
   */
  Optional<Held> take();

  /**
   * Gives the calling thread permanent precedence over threads that {@linkplain #take take} it, as
   * far as this process may do so. For a watchdog thread, which uses almost no processor time and
   * ends the precedence of a stuck thread.
   */
  void watch();

  /** The precedence of a thread. */
  interface Held {
    /**
     * Moves the thread to another processor if it may run on several. The kernel moves threads away
     * from a processor that another thread occupies; a thread that uses only a part of each
     * processor does not displace them. The thread itself calls this.
     */
    void move();

    /** Gives the precedence up. Any thread may call this. */
    void giveUp();
  }
}
