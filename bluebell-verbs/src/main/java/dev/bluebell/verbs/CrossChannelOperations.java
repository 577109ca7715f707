package dev.bluebell.verbs;

import java.util.Objects;

/**
 * Requests by which the queues of a device wait for, and enable, each other: what NIC programs are
 * held together with. None of them talks to the peer. Mirrors {@code mlx5_prm.h: MLX5_OPCODE_WAIT,
 * MLX5_OPCODE_SEND_EN} of DPDK.
 *
 * <p>Indices are absolute and wrap: they count from the creation of a completion queue, and from
 * the last reset of a queue pair.
 */
@CheckReturnValue
public interface CrossChannelOperations {

  /**
   * Starts a WAIT: the requests behind it begin when a completion queue had a completion.
   * Completions count whether they succeeded or failed; a request that ends unsignalled makes none.
   *
   * @param completions of the same device; with {@link CompletionQueueOptions#ignoreOverrun} when
   *     nobody polls it
   * @param index of the completion, from 0 for the first that the queue ever had; 24 bits count
   */
  RequestModifiers waitFor(CompletionQueue completions, int index);

  /**
   * Starts a WAIT on data: the requests behind it begin when {@code value & mask} fulfils a
   * condition against {@code memory & mask}, with {@link WaitCondition#BIGGER} when it is bigger
   * than what is there.
   *
   * @param address of 8 bytes, as registered
   * @param lkey key of the region that they are in
   */
  RequestModifiers waitForData(
      long address, int lkey, WaitCondition condition, long value, long mask);

  /**
   * Starts a WAIT on data, as {@link #waitForData(long, int, WaitCondition, long, long)}.
   *
   * @param offset of the 8 bytes in the region
   * @throws IndexOutOfBoundsException when they are not all in the region
   */
  default RequestModifiers waitForData(
      MemoryRegion region, long offset, WaitCondition condition, long value, long mask) {
    Objects.checkFromIndexSize(offset, Long.BYTES, region.length());
    return waitForData(region.address() + offset, region.lkey(), condition, value, mask);
  }

  /**
   * Starts a WAIT on time: the requests behind it begin when {@code value & mask} fulfils a
   * condition against the device's clock, also masked, as {@link Device#clock} reads it. {@link
   * WaitCondition#CYCLIC_SMALLER} with the time at which the requests shall begin is what DPDK
   * writes.
   */
  RequestModifiers waitForTime(WaitCondition condition, long value, long mask);

  /**
   * Starts a SEND_EN: a managed send queue may execute what it holds before an index. It takes
   * effect when the requests before it have begun, not when they are complete: put a {@link
   * #waitFor} between where that matters.
   *
   * @param target of the same protection domain; it may be the queue pair itself
   * @param index in WQEBBs of the target's send queue, itself excluded; 16 bits count. An index
   *     that is not ahead of an earlier one does nothing.
   */
  RequestModifiers enableSends(ManagedQueuePair target, int index);

  /**
   * Starts a RECV_EN: a managed receive queue may use the requests that it holds before an index.
   *
   * @param target of the same protection domain
   * @param index in requests of the target's receive queue, itself excluded; 16 bits count
   * @throws IllegalArgumentException when the target has no managed receives
   */
  RequestModifiers enableReceives(CrossChannelQueuePair target, int index);
}
