package dev.bluebell.hca;

/**
 * How the thread of a software device comes before other threads of the machine, for those who may
 * change that: see {@link HcaHosting#precede}. The device's thread calls both methods, about
 * itself.
 */
public interface HcaPrecedence {
  /**
   * Lets the calling thread come before others.
   *
   * @return false when this process may not do so
   */
  boolean take();

  /** Makes the calling thread one like others again. */
  void giveUp();
}
