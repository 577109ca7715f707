package dev.bluebell.verbs;

import java.util.Objects;

/**
 * Requests by which the queues of a device wait for and enable each other, as NIC programs do. They
 * send nothing to the peer. Mirrors {@code mlx5_prm.h: MLX5_OPCODE_WAIT, MLX5_OPCODE_SEND_EN} of
 * DPDK.
 *
 * <p>Indices are absolute and wrap: those of a completion queue count from its creation, those of a
 * queue pair from its last reset.
 */
@CheckReturnValue
public interface CrossChannelOperations {

  /**
   * Starts a WAIT: the requests after it start once a completion queue has received a completion.
   * Completions count whether successful or failed; a successful unsignalled request generates
   * none.
   *
   * @param completions a queue of the same device; with {@link
   *     CompletionQueueOptions#ignoreOverrun} if it is not polled
   * @param index index of the completion, 0 for the queue's first ever; the low 24 bits count
   */
  RequestModifiers waitFor(CompletionQueue completions, int index);

  /**
   * Starts a WAIT on data: the requests after it start when {@code value & mask} meets a condition
   * against {@code memory & mask}; for {@link WaitCondition#BIGGER}, when it is greater.
   *
   * @param address address of the 8 bytes, as registered
   * @param lkey key of their region
   */
  RequestModifiers waitForData(
      long address, int lkey, WaitCondition condition, long value, long mask);

  /**
   * Starts a WAIT on data, as {@link #waitForData(long, int, WaitCondition, long, long)}.
   *
   * @param offset offset of the 8 bytes in the region
   * @throws IndexOutOfBoundsException when they exceed the region
   */
  default RequestModifiers waitForData(
      MemoryRegion region, long offset, WaitCondition condition, long value, long mask) {
    Objects.checkFromIndexSize(offset, Long.BYTES, region.length());
    return waitForData(region.address() + offset, region.lkey(), condition, value, mask);
  }

  /**
   * Starts a WAIT on time: the requests after it start when {@code value & mask} meets a condition
   * against the masked device clock, {@link Device#clock}. DPDK uses {@link
   * WaitCondition#CYCLIC_SMALLER} with the start time of the requests.
   */
  RequestModifiers waitForTime(WaitCondition condition, long value, long mask);

  /**
   * Starts a SEND_EN: it allows a managed send queue to execute its requests up to an index. It
   * takes effect when the requests before it have started, not when they have completed; if that
   * matters, put a {@link #waitFor} in between.
   *
   * @param target a queue pair of the same protection domain, possibly this one
   * @param index exclusive index in WQEBBs of the target's send queue; the low 16 bits count. An
   *     index that is not ahead of an earlier one has no effect.
   */
  RequestModifiers enableSends(ManagedQueuePair target, int index);

  /**
   * Starts a RECV_EN: it allows a managed receive queue to use its requests up to an index.
   *
   * @param target a queue pair of the same protection domain
   * @param index exclusive index in requests of the target's receive queue; the low 16 bits count
   * @throws IllegalArgumentException when the target has no managed receives
   */
  RequestModifiers enableReceives(CrossChannelQueuePair target, int index);
}
