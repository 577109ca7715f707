package dev.bluebell.verbs;

/**
 * The location of a packet in a {@link StridingReceiveQueue}: a view that is valid as long as the
 * completion. The packet's length is {@link Completion#byteCount}. Belongs to the polling thread.
 *
 * <p>For a failure, only the entry is defined. A stride that the device leaves empty is reported
 * with 0 bytes, and neither begins nor ends a message.
 */
public interface ReceivedStride {

  /** The entry. Call {@link StridingEntry#release} when the stride was read. */
  StridingEntry entry();

  /** Offset of the stride in the entry, in bytes. */
  int offset();

  /** Address of that byte, as registered. */
  long address();

  /** True when the packet is the first of its message. */
  boolean isFirst();

  /** True when the packet is the last of its message. */
  boolean isLast();
}
