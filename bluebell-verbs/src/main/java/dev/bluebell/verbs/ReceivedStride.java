package dev.bluebell.verbs;

/**
 * Where a packet of a message lies that came to a {@link StridingReceiveQueue}, as its completion
 * tells: a view that is valid as long as the completion. How many bytes there are says {@link
 * Completion#byteCount}. Belongs to the thread that polls.
 *
 * <p>Of a failure only the entry is defined. A stride that the device leaves empty is told with 0
 * bytes, and neither begins nor ends a message.
 */
public interface ReceivedStride {

  /** The entry, which wants to be told when the stride was read: {@link StridingEntry#release}. */
  StridingEntry entry();

  /** First byte of the stride in the entry. */
  int offset();

  /** Address of that byte, as registered. */
  long address();

  /** True when the packet is the first of its message. */
  boolean isFirst();

  /** True when the packet is the last of its message. */
  boolean isLast();
}
