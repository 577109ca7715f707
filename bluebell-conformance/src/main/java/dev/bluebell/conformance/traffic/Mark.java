package dev.bluebell.conformance.traffic;

/** Identification of a message: in its immediate, and in its first 8 bytes. */
final class Mark {
  /** Bytes of the longer form. */
  static final int BYTES = 8;

  /** Number of flows that an immediate can identify. */
  static final int MOST_FLOWS = 1 << 12;

  /** A flow that does not exist. */
  static final int NOBODY = Integer.MAX_VALUE;

  private static final int FLOW_SHIFT = 20;
  private static final int SEQUENCE_MASK = (1 << FLOW_SHIFT) - 1;
  private static final long SIGNATURE = 0x5a00_0000_0000_0000L;

  private Mark() {}

  static int immediate(int flow, int sequence) {
    return flow << FLOW_SHIFT | sequence & SEQUENCE_MASK;
  }

  static int flowOfImmediate(int immediate) {
    return immediate >>> FLOW_SHIFT;
  }

  static long stamp(int flow, int sequence) {
    return SIGNATURE | (long) flow << 32 | sequence & 0xffffffffL;
  }

  static int flowOfStamp(long stamp) {
    return (stamp & SIGNATURE) == SIGNATURE ? (int) (stamp >>> 32) & 0xffff : NOBODY;
  }

  static int sequenceOfStamp(long stamp) {
    return (int) stamp;
  }

  /** Eight bytes derived from a flow, a sequence number and a place. */
  static long pattern(int flow, int sequence, int word) {
    long z = stamp(flow, sequence) + word * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
