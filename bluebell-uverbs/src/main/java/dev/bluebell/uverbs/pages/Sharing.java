package dev.bluebell.uverbs.pages;

/** The pages that a client may share with the device. */
public enum Sharing {
  /** Only queues and doorbell records. */
  NEVER,

  /**
   * Registered memory, too, if the client can't notice: whole pages of a single-threaded client. A
   * store by another thread during the exchange would be lost.
   */
  UNNOTICED,

  /** All registered memory that can be shared. */
  ALWAYS
}
