package dev.bluebell.uverbs.pages;

/** Which of its pages a client may share with the device. */
public enum Sharing {
  /** Queues and doorbell records alone. */
  NEVER,

  /**
   * Registered memory, too, where the client can't notice: whole pages of a client with one thread.
   * A store by another thread, while the pages are exchanged, would be lost.
   */
  UNNOTICED,

  /** All registered memory that can be shared. */
  ALWAYS
}
