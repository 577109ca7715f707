package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;

/**
 * Where the bytes of a memory key are, by their offset from its first one. The key vouches for
 * ranges and rights.
 */
sealed interface Translation permits Translation.Contiguous, Translation.Foreign, Indirection {

  /** True when the memory is of this process and in one piece, which {@link #direct} names. */
  boolean isDirect();

  /** Address of offset 0 in the process that has the memory. */
  long direct();

  /**
   * Adds the pieces of {@code [offset, offset + bytes)} to a list, in order.
   *
   * @param walk the access; it follows keys that name other keys
   * @return false when another key refuses, which the walk then tells
   */
  boolean translate(long offset, int bytes, int key, Walk walk, SegmentList out);

  /** Memory of this process, in one piece. */
  record Contiguous(long direct) implements Translation {
    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public boolean translate(long offset, int bytes, int key, Walk walk, SegmentList out) {
      out.add(direct + offset, bytes);
      return true;
    }
  }

  /** Memory of another process, in one piece there. */
  record Foreign(HcaForeignMemory owner, long direct) implements Translation {
    @Override
    public boolean isDirect() {
      return false;
    }

    @Override
    public boolean translate(long offset, int bytes, int key, Walk walk, SegmentList out) {
      out.addForeign(owner, direct + offset, bytes, key);
      return true;
    }
  }
}
