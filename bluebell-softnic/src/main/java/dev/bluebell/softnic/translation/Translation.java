package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;

/**
 * Where the bytes of a memory key are, by their offset from its first one. The key vouches for
 * ranges and rights. Immutable.
 */
sealed interface Translation {

  /** True when the memory is of this process and in one piece, which {@link #direct} names. */
  boolean isDirect();

  /** Address of offset 0 in the process that has the memory. */
  long direct();

  /** Adds the pieces of {@code [offset, offset + bytes)} to a list, in order. */
  void translate(long offset, int bytes, int key, SegmentList out);

  /** Memory of this process, in one piece. */
  record Contiguous(long direct) implements Translation {
    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public void translate(long offset, int bytes, int key, SegmentList out) {
      out.add(direct + offset, bytes);
    }
  }

  /** Memory of another process, in one piece there. */
  record Foreign(HcaForeignMemory owner, long direct) implements Translation {
    @Override
    public boolean isDirect() {
      return false;
    }

    @Override
    public void translate(long offset, int bytes, int key, SegmentList out) {
      out.addForeign(owner, direct + offset, bytes, key);
    }
  }
}
