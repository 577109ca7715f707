package dev.bluebell.cli.demo;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Accessors for big-endian fields in memory that driver and device share, at any alignment. */
final class BigEndian {
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private BigEndian() {}
}
