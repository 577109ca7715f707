package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;

/**
 * The translation of a memory key: where its bytes are, by offset from the first. The key itself
 * checks ranges and rights.
 */
sealed interface Translation permits Translation.Contiguous, Translation.Foreign, Indirection {

  /** True when the memory is one piece of this process, at {@link #direct}. */
  boolean isDirect();

  /** Address of offset 0 in the process that has the memory. */
  long direct();

  /**
   * Adds the pieces of {@code [offset, offset + bytes)} to a list, in order.
   *
   * @param walk the access; it follows keys that name other keys
   * @return false when another key refuses; the walk then has the explanation
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
