package dev.bluebell.verbs;

import java.util.EnumSet;
import java.util.Set;

/** Describes a reliable-connection queue pair to be created. Not thread-safe. */
public final class RcQueuePairBuilder {
  private static final int MAX_REQUESTS = 32768;
  private static final int MAX_GATHER = 61;
  private static final int MAX_INLINE = 972;
  private static final int MAX_SCATTER = 128;

  private final ProtectionDomain domain;
  private final CompletionQueue sendCompletions;
  private CompletionQueue receiveCompletions;
  private int sendRequests = 64;
  private int maxGather = 2;
  private int maxInline = 28;
  private int receiveRequests = 64;
  private int maxScatter = 1;
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int port = 1;
  private int gidIndex;
  private int pkeyIndex;
  private int responderResources = 16;
  private int initialPsn = QueuePairSettings.RANDOM_PSN;
  private boolean nopFill;
  private boolean blueFlame;

  RcQueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    this.domain = domain;
    sendCompletions = completions;
    receiveCompletions = completions;
  }

  /**
   * Size of the send queue: room for so many requests of the largest kind that {@link #maxGather}
   * and {@link #maxInline} allow, and so for more of shorter ones. Rounded up to a power of two in
   * WQEBBs, the 64-byte blocks that {@link RcQueuePair#freeWqebbs} counts. Default 64.
   *
   * @param requests 1 … 32768
   */
  public RcQueuePairBuilder sendQueue(int requests) {
    sendRequests = Ranges.require("sendQueue", requests, 1, MAX_REQUESTS);
    return this;
  }

  /**
   * Most gather entries of a request. Default 2, with which a request of any opcode takes one
   * WQEBB. What fits into the same number of WQEBBs is allowed too.
   *
   * @param entries 0 … 61
   */
  public RcQueuePairBuilder maxGather(int entries) {
    maxGather = Ranges.require("maxGather", entries, 0, MAX_GATHER);
    return this;
  }

  /**
   * Most bytes of inline data of a request. Default 28, with which a request takes one WQEBB. What
   * fits into the same number of WQEBBs is allowed too.
   *
   * @param bytes 0 … 972
   */
  public RcQueuePairBuilder maxInline(int bytes) {
    maxInline = Ranges.require("maxInline", bytes, 0, MAX_INLINE);
    return this;
  }

  /**
   * Size of the receive queue, rounded up to a power of two; 0 for none. Default 64.
   *
   * @param requests 0 … 32768
   */
  public RcQueuePairBuilder receiveQueue(int requests) {
    receiveRequests = Ranges.require("receiveQueue", requests, 0, MAX_REQUESTS);
    return this;
  }

  /**
   * Most scatter entries of a receive request, rounded up to a power of two. Default 1.
   *
   * @param entries 1 … 128
   */
  public RcQueuePairBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, MAX_SCATTER);
    return this;
  }

  /** Where receive requests complete. Default: where all others do. */
  public RcQueuePairBuilder receiveCompletions(CompletionQueue completions) {
    receiveCompletions = completions;
    return this;
  }

  /**
   * What the peer may do through the queue pair, as far as memory keys allow it; only remote rights
   * count. Default: everything.
   */
  public RcQueuePairBuilder access(Access... rights) {
    access = Access.setOf(rights);
    return this;
  }

  /**
   * The port, from 1. Default 1.
   *
   * @param number from 1
   */
  public RcQueuePairBuilder port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return this;
  }

  /**
   * Entry of the port's GID table that is the queue pair's address. Default 0.
   *
   * @param index 0 … 255
   */
  public RcQueuePairBuilder gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return this;
  }

  /**
   * Entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  public RcQueuePairBuilder pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return this;
  }

  /**
   * READs and atomics of the peer to serve at a time; limited by the device. Default 16.
   *
   * @param count 1 … 128
   */
  public RcQueuePairBuilder responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
    return this;
  }

  /**
   * Sequence number of the first request packet. Default: random, and anew after each reset.
   *
   * @param psn 24 bits
   */
  public RcQueuePairBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  /**
   * Whether the end of the ring is filled with a NOP where a request would be split, so that each
   * request lies in one piece: for queues whose requests others address. The queue is made larger
   * by the longest fill. Default off.
   */
  public RcQueuePairBuilder nopFill(boolean on) {
    nopFill = on;
    return this;
  }

  /**
   * Whether a single request of 32 to 256 bytes is copied into the doorbell register when it is
   * rung, which spares hardware a fetch and costs the processor a copy. Default off; ignored by
   * devices without BlueFlame.
   */
  public RcQueuePairBuilder blueFlame(boolean on) {
    blueFlame = on;
    return this;
  }

  /**
   * Creates the queue pair and moves it to the INIT state, in which receives can be posted.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public RcQueuePair create() {
    return RcQueuePair.create(this);
  }

  QueuePairShape shape(DeviceAttributes limits) {
    return QueuePairShape.of(
        sendRequests, maxGather, maxInline, nopFill, receiveRequests, maxScatter, limits);
  }

  QueuePairSettings settings() {
    return new QueuePairSettings(
        access, port, gidIndex, pkeyIndex, responderResources, initialPsn, nopFill, blueFlame);
  }

  ProtectionDomain domain() {
    return domain;
  }

  CompletionQueue sendCompletions() {
    return sendCompletions;
  }

  CompletionQueue receiveCompletions() {
    return receiveCompletions;
  }
}
