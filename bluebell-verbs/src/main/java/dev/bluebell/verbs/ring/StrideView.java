package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.ReceivedStride;
import dev.bluebell.verbs.StridingEntry;
import org.jspecify.annotations.Nullable;

/** The location of a stride: a view of fields of a completion. */
final class StrideView implements ReceivedStride {
  private @Nullable StridingEntry entry;

  /** Index of the completion to which this belongs. */
  private int ofIndex;

  private int offset;
  private int flags;

  /** Sets the fields from a completion. */
  void set(StridingEntry of, int index, int strideOffset, int strideFlags) {
    entry = of;
    ofIndex = index;
    offset = strideOffset;
    flags = strideFlags;
  }

  /** True when this belongs to the completion with an index. */
  boolean isOf(int index) {
    return entry != null && ofIndex == index;
  }

  @Override
  public StridingEntry entry() {
    StridingEntry known = entry;
    if (known == null) {
      throw new IllegalStateException("no stride was received");
    }
    return known;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public long address() {
    return entry().address() + offset;
  }

  @Override
  public boolean isFirst() {
    return (flags & Cqe.STRIDE_FIRST) != 0;
  }

  @Override
  public boolean isLast() {
    return (flags & Cqe.STRIDE_LAST) != 0;
  }
}
