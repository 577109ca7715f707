package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.MemoryRegion;

/** Checks a range of a region that a request names. */
final class RegionRange {
  private RegionRange() {}

  /** True when the region contains the whole range. */
  static boolean isInside(MemoryRegion region, long from, int length) {
    return from >= 0 && length >= 0 && from <= region.length() - length;
  }

  /** Returns the exception for a range that exceeds the region. */
  static IndexOutOfBoundsException outside(MemoryRegion region, long from, int length) {
    return new IndexOutOfBoundsException(
        "%d bytes from offset %d are not all in the %d bytes of the %s"
            .formatted(length, from, region.length(), region));
  }
}
