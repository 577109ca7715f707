package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/**
 * Describes a queue pair of any service: its send queue and its port.
 *
 * @param <B> the builder itself
 */
abstract class QueuePairBuilder<B extends QueuePairBuilder<B>> {
  static final int MAX_REQUESTS = 32768;
  private static final int MAX_GATHER = 61;
  private static final int MAX_INLINE = 972;

  final ProtectionDomain domain;
  private final CompletionQueue sendCompletions;
  private int sendRequests = 64;
  private int maxGather = 2;
  private int maxInline = 28;
  int port = 1;
  int pkeyIndex;
  private boolean nopFill;
  private boolean blueFlame;

  QueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    this.domain = domain;
    sendCompletions = completions;
  }

  /** Returns this builder, by its own type. */
  abstract B self();

  /**
   * Size of the send queue: room for so many requests of the largest kind that {@link #maxGather}
   * and {@link #maxInline} allow, and so for more of shorter ones. Rounded up to a power of two in
   * WQEBBs, the 64-byte blocks that {@link QueuePair#freeWqebbs} counts. Default 64.
   *
   * @param requests 1 … 32768
   */
  public B sendQueue(int requests) {
    sendRequests = Ranges.require("sendQueue", requests, 1, MAX_REQUESTS);
    return self();
  }

  /**
   * Most gather entries of a request. Default 2, with which a request of any opcode takes one
   * WQEBB. What fits into the same number of WQEBBs is allowed too.
   *
   * @param entries 0 … 61
   */
  public B maxGather(int entries) {
    maxGather = Ranges.require("maxGather", entries, 0, MAX_GATHER);
    return self();
  }

  /**
   * Most bytes of inline data of a request. Default 28, with which a request takes one WQEBB. What
   * fits into the same number of WQEBBs is allowed too.
   *
   * @param bytes 0 … 972
   */
  public B maxInline(int bytes) {
    maxInline = Ranges.require("maxInline", bytes, 0, MAX_INLINE);
    return self();
  }

  /**
   * The port, from 1. Default 1.
   *
   * @param number from 1
   */
  public B port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return self();
  }

  /**
   * Entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  public B pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return self();
  }

  /**
   * Whether the end of the ring is filled with a NOP where a request would be split, so that each
   * request lies in one piece: for queues whose requests others address. The queue is made larger
   * by the longest fill. Default off.
   */
  public B nopFill(boolean on) {
    nopFill = on;
    return self();
  }

  /**
   * Whether a single request of 32 to 256 bytes is copied into the doorbell register when it is
   * rung, which spares hardware a fetch and costs the processor a copy. Default off; ignored by
   * devices without BlueFlame.
   */
  public B blueFlame(boolean on) {
    blueFlame = on;
    return self();
  }

  /**
   * Returns the plan of the queue pair.
   *
   * @param receiveRequests size of the receive queue; 0 for none
   * @param maxScatter scatter entries of a receive request, at least 1
   * @param receiveCompletions where receive requests complete
   */
  final QueuePairPlan plan(
      ServiceType service,
      int receiveRequests,
      int maxScatter,
      CompletionQueue receiveCompletions) {
    QueuePairShape shape =
        QueuePairShape.of(
            service,
            sendRequests,
            maxGather,
            maxInline,
            nopFill,
            receiveRequests,
            maxScatter,
            domain.device().attributes());
    return new QueuePairPlan(
        domain, service, sendCompletions, receiveCompletions, shape, nopFill, blueFlame);
  }
}
