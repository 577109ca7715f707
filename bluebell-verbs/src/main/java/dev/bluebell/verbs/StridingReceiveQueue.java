package dev.bluebell.verbs;

/**
 * A receive queue whose entries take many messages each: the memory of an entry is divided into
 * strides of one size, and each packet of any queue pair takes the next stride. So memory use is
 * proportional to the data that arrives, and one posted entry serves many messages. Reliable
 * connections and DC targets receive from it. UCX calls it a multi-packet receive queue.
 *
 * <p>A message has a completion for each of its packets, in order: {@link Completion#stride}
 * locates the packet, and {@link ReceivedStride#isFirst} and {@link ReceivedStride#isLast} mark
 * where a message begins and ends. The last completion also carries the immediate or the
 * invalidated key. All packets but the last are as long as the path MTU, so a message is contiguous
 * if it has one packet, or if its packets are as long as the strides and in one entry. Packets of
 * other queue pairs may lie in between. A message that needs more strides than are left continues
 * in the next entry; its sender waits for one if necessary. A message that is cut off because its
 * queue pair ends has no last packet.
 *
 * <p>The device refuses packets that are longer than a stride, and RDMA WRITEs with immediate,
 * which have no packet to place.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Any number of threads may poll
 * the completions. Arming and closing are thread-safe.
 *
 * <p>A stride whose queue pair was closed or reset before its completion was polled counts as
 * released and is not reported; {@link StridingEntry#isFree} shows whether it was the last.
 */
public interface StridingReceiveQueue extends LinkedReceiveQueue {
  /**
   * Creates an entry from {@link #entryBytes} bytes of a region, without posting it. There may be
   * more entries than can be posted at a time; their memory should not overlap.
   *
   * @param region a region with {@link Access#LOCAL_WRITE}, of this queue's domain
   * @param offset offset of the first byte in the region
   * @param id id of all its completions
   * @throws IndexOutOfBoundsException when the entry exceeds the region
   */
  StridingEntry entry(MemoryRegion region, long offset, long id);

  /** Number of strides of an entry. */
  int strides();

  /** Size of a stride in bytes, and of the longest packet. */
  int strideBytes();

  /** Size of an entry in bytes. */
  int entryBytes();
}
