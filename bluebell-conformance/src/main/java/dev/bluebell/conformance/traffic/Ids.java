package dev.bluebell.conformance.traffic;

/** Ids of requests, which contain their owner. */
final class Ids {
  private static final int OWNER_SHIFT = 32;
  private static final long INBOX = 1L << 62;

  private Ids() {}

  static long ofFlow(int number, int sequence) {
    return (long) number << OWNER_SHIFT | sequence & 0xffffffffL;
  }

  static long ofInbox(int number, int item) {
    return INBOX | (long) number << OWNER_SHIFT | item;
  }

  static boolean isInbox(long id) {
    return (id & INBOX) != 0;
  }

  static int owner(long id) {
    return (int) ((id & ~INBOX) >>> OWNER_SHIFT);
  }

  /** Sequence number of a flow's request, or an inbox's identifier. */
  static int item(long id) {
    return (int) id;
  }
}
