package dev.bluebell.conformance;

/**
 * A message from the left end's memory to the right end's, with a margin around the destination, so
 * that a byte too many shows. Neither side is aligned.
 */
final class Transfer {
  static final long RECEIVE_ID = 0x7fff_0000_0000_0001L;
  private static final int SOURCE_OFFSET = 3;

  private final Ends ends;
  private final int size;
  private final Buffer source;
  private final Buffer target;
  private final byte[] before;

  Transfer(Bench bench, int size) {
    this(bench.connected(), size);
  }

  Transfer(Ends ends, int size) {
    this.ends = ends;
    this.size = size;
    source = ends.left().buffer(SOURCE_OFFSET + size + 1L).fill(size);
    target = ends.right().buffer(size + 2L * Sizes.MARGIN + 1).fill(~size);
    before = target.bytes();
  }

  End left() {
    return ends.left();
  }

  End right() {
    return ends.right();
  }

  Buffer source() {
    return source;
  }

  Buffer target() {
    return target;
  }

  int sourceOffset() {
    return SOURCE_OFFSET;
  }

  int targetOffset() {
    return Sizes.MARGIN + 1;
  }

  /** Address of the first byte to move. */
  long from() {
    return source.address(sourceOffset());
  }

  /** Address of the first byte to fill. */
  long to() {
    return target.address(targetOffset());
  }

  void postReceive() {
    ends.right().receive(target, targetOffset(), size, RECEIVE_ID);
  }

  /** Expects the message in its place and nothing changed around it. */
  void expectArrived() {
    target.expect(before, targetOffset(), source.bytes(SOURCE_OFFSET, size));
  }

  /** Expects the destination as it was. */
  void expectUntouched() {
    target.expect(before, 0, new byte[0]);
  }
}
