package dev.bluebell.conformance.traffic;

/** A message that arrived at an inbox. Reused for the next one. */
final class Arrival {
  /** The inbox. */
  Inbox inbox;

  /** True when its first bytes identify it. */
  boolean hasStamp;

  /** The sequence number of the stamp. */
  int sequence;

  boolean hasImmediate;

  /** The immediate, or the equivalent in the header of its tag. */
  int immediate;

  /** True for a WRITE with immediate, which places no bytes in the inbox. */
  boolean isWrite;

  /** Offset of its bytes in the inbox's territory. */
  int at;

  int bytes;

  /** Bytes at its start that its kind of inbox strips: the header of a tag. */
  int headless;

  Arrival(Inbox inbox) {
    this.inbox = inbox;
  }

  /** True when its immediate and stamp, if any, identify a flow's message. */
  boolean is(int flow, int expected) {
    return hasStamp && !hasImmediate
        ? sequence == expected
        : immediate == Mark.immediate(flow, expected) && (!hasStamp || sequence == expected);
  }

  @Override
  public String toString() {
    return "a %s of %d bytes to %s with%s%s"
        .formatted(
            isWrite ? "WRITE" : "SEND",
            bytes,
            inbox,
            hasStamp ? " stamp " + sequence : " no stamp",
            hasImmediate ? " and immediate 0x%x".formatted(immediate) : "");
  }
}
