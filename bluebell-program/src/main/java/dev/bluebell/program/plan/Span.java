package dev.bluebell.program.plan;

/**
 * A range of bytes of a block.
 *
 * @param block block that contains it
 * @param offset offset of its first byte
 * @param length length in bytes
 */
public record Span(Block block, int offset, int length) {
  /** Checks that an area contains the range. The size of an instruction may still grow. */
  public Span {
    if (offset < 0 || length < 0 || block instanceof Area && offset + length > block.bytes()) {
      throw new IllegalArgumentException(
          "bytes %d to %d do not lie in %s, which has %d"
              .formatted(offset, offset + length, block.name(), block.bytes()));
    }
  }

  /** A part of the range. */
  public Span part(int from, int count) {
    return new Span(block, offset + from, count);
  }

  /** True when the ranges overlap and are not discarded memory. */
  public boolean meets(Span other) {
    return block.equals(other.block)
        && !(block instanceof Area area && area.isSink())
        && offset < other.offset + other.length
        && other.offset < offset + length;
  }

  @Override
  public String toString() {
    return offset == 0 && length == block.bytes() && block instanceof Area
        ? block.name()
        : "%s+%d:%d".formatted(block.name(), offset, length);
  }
}
