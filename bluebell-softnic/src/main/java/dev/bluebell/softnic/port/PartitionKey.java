package dev.bluebell.softnic.port;

import dev.bluebell.softnic.option.LinkOptions;

/**
 * Partition keys: 15 bits of the partition, and above them a bit that is set for a full member.
 * Mirrors the InfiniBand Architecture, volume 1, 10.9.3.
 */
public final class PartitionKey {
  /** The default partition, as a full member. */
  public static final int DEFAULT = LinkOptions.DEFAULT_PARTITION_KEY;

  private static final int PARTITION = 0x7fff;
  private static final int FULL_MEMBER = 0x8000;

  private PartitionKey() {}

  /** True for the key of no partition, such as that of an empty entry of the table. */
  public static boolean isOfNone(int key) {
    return (key & PARTITION) == 0;
  }

  /** True when the holders of two keys may talk: one partition, and not both limited members. */
  public static boolean match(int one, int other) {
    return ((one ^ other) & PARTITION) == 0 && !isOfNone(one) && ((one | other) & FULL_MEMBER) != 0;
  }
}
