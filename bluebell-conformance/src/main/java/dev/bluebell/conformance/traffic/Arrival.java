package dev.bluebell.conformance.traffic;

/** A message that an inbox got. Reused for the next. */
final class Arrival {
  /** The inbox. */
  Inbox inbox;

  /** True when its first bytes say which message it is. */
  boolean hasStamp;

  /** The sequence number of the stamp. */
  int sequence;

  boolean hasImmediate;

  /** The immediate, or what the header of its tag has instead. */
  int immediate;

  /** True for a WRITE with immediate, which brings no bytes to the inbox. */
  boolean isWrite;

  /** Where its bytes are in the inbox's territory. */
  int at;

  int bytes;

  /** Bytes at its start that its kind of inbox takes away: the header of a tag. */
  int headless;

  Arrival(Inbox inbox) {
    this.inbox = inbox;
  }

  /** True when all that the message says of itself is true of a flow's message. */
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
