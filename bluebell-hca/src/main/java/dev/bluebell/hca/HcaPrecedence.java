package dev.bluebell.hca;

/**
 * Gives the thread of a software device precedence over other threads of the machine, where the
 * process may do so, see {@link HcaHosting#precede}. The device's thread calls all methods, for
 * itself.
 */
public interface HcaPrecedence {
  /**
   * Gives the calling thread precedence.
   *
   * @return false when this process may not do so
   */
  boolean take();

  /**
   * Moves the calling thread, which has precedence, to another processor if it may run on several.
   * The kernel moves threads away from a processor that another thread occupies; a thread that uses
   * some of each processor leaves them where they are.
   */
  void move();

  /** Gives up the precedence of the calling thread. */
  void giveUp();
}
