package dev.bluebell.hca;

/**
 * How the thread of a software device comes before other threads of the machine, for those who may
 * change that: see {@link HcaHosting#precede}. The device's thread calls all methods, about itself.
 */
public interface HcaPrecedence {
  /**
   * Lets the calling thread come before others.
   *
   * @return false when this process may not do so
   */
  boolean take();

  /**
   * Lets the calling thread, which has precedence, go on on another processor where it may run on
   * several. The kernel moves programs away from a processor whose time another takes; who takes
   * some of each leaves them where they are.
   */
  void move();

  /** Makes the calling thread one like others again. */
  void giveUp();
}
