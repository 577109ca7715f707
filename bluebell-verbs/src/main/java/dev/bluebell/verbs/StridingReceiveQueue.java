package dev.bluebell.verbs;

/**
 * A receive queue whose entries take many messages each: the memory of an entry is cut into strides
 * of one size, and each packet takes the next stride, of whatever queue pair it is. So memory is
 * used in proportion to what arrives, and one entry is posted for many messages. Reliable
 * connections and DC targets receive from it. UCX calls it a multi-packet receive queue.
 *
 * <p>A message has a completion for each of its packets, in order: {@link Completion#stride} says
 * where the packet lies, {@link ReceivedStride#isFirst} and {@link ReceivedStride#isLast} where a
 * message begins and ends; what a SEND carries beside its data comes with the last. All packets of
 * a message but the last have as many bytes as the path MTU, so that a message of one packet, or of
 * packets as large as strides in one entry, lies in one piece. Packets of other queue pairs may lie
 * in between, and a message that needs more strides than are left goes on in the next entry, for
 * which its sender waits if it must. A message that the end of its queue pair cuts off has no last
 * packet.
 *
 * <p>A packet that is longer than a stride is refused, and an RDMA WRITE with immediate too, as it
 * has no packet to be placed.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. The completions may be polled by
 * any number of threads. Arming and closing are thread-safe.
 *
 * <p>A stride whose queue pair was closed or reset before its completion was polled counts as read,
 * and nobody is told of it: {@link StridingEntry#isFree} tells whether it was the last.
 */
public interface StridingReceiveQueue extends LinkedReceiveQueue {
  /**
   * Makes an entry of {@link #entryBytes} bytes of a region, which is not posted yet. There may be
   * more entries than can be posted at a time; their memory should not overlap.
   *
   * @param region with {@link Access#LOCAL_WRITE}, of this queue's domain
   * @param offset of the first byte in the region
   * @param id of all its completions
   * @throws IndexOutOfBoundsException when the entry is not all in the region
   */
  StridingEntry entry(MemoryRegion region, long offset, long id);

  /** Strides of an entry. */
  int strides();

  /** Bytes of a stride: most bytes of a packet. */
  int strideBytes();

  /** Bytes of an entry. */
  int entryBytes();
}
