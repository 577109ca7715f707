package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import org.jspecify.annotations.Nullable;

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
  private int port = 1;
  private int gidIndex = GidTable.USUAL;
  private int pkeyIndex;
  private int pathBits;
  private boolean nopFill;
  private boolean blueFlame;
  int answersInCqe;
  int receivesInCqe;
  boolean signatures;

  QueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    this.domain = domain;
    sendCompletions = completions;
  }

  /** Returns this builder, by its own type. */
  abstract B self();

  /**
   * Sets the size of the send queue. It has room for this number of the longest requests that
   * {@link #maxGather(int)} and {@link #maxInline(int)} allow, and for more of shorter ones. It is
   * rounded up to a power of two in WQEBBs, the 64-byte blocks that {@link QueuePair#freeWqebbs}
   * counts. Default 64.
   *
   * @param requests 1 … 32768
   */
  public B sendQueue(int requests) {
    sendRequests = Ranges.require("sendQueue", requests, 1, MAX_REQUESTS);
    return self();
  }

  /**
   * Sets how many gather entries a request may have. Default 2: a request of a connection then
   * takes one WQEBB. A request may have more when it takes no more WQEBBs than that.
   *
   * @param entries 0 … 61
   */
  public B maxGather(int entries) {
    maxGather = Ranges.require("maxGather", entries, 0, MAX_GATHER);
    return self();
  }

  /**
   * Sets how many bytes of inline data a request may have. Default 28: a request of a connection
   * then takes one WQEBB. A request may have more when it takes no more WQEBBs than that.
   *
   * @param bytes 0 … 972
   */
  public B maxInline(int bytes) {
    maxInline = Ranges.require("maxInline", bytes, 0, MAX_INLINE);
    return self();
  }

  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  public B port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return self();
  }

  /**
   * Sets the entry of the port's GID table that is the queue pair's address. Default: 0 on
   * InfiniBand, the port's own GID; on Ethernet that of IPv4 over RoCE v2, usually 3, or the first
   * one of RoCE v2.
   *
   * @param index 0 … 255
   */
  public B gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return self();
  }

  /**
   * InfiniBand: sets which of the port's 2<sup>LMC</sup> LIDs is the queue pair's address: the low
   * bits of the LID. Packets leave from it, and the endpoint names it. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  public B pathBits(int bits) {
    pathBits = Ranges.require("pathBits", bits, 0, 127);
    return self();
  }

  /**
   * Sets the entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  public B pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return self();
  }

  /**
   * Says whether a NOP fills the end of the ring where a request would be split. Each request then
   * lies in one piece, which matters when others address the requests of the queue. The queue is
   * made larger by the longest fill. Default off.
   */
  public B nopFill(boolean on) {
    nopFill = on;
    return self();
  }

  /**
   * Says whether a single request of 32 to 256 bytes is copied into the doorbell register when it
   * is rung. That spares hardware a fetch and costs the processor a copy. Default off; devices
   * without BlueFlame ignore it.
   */
  public B blueFlame(boolean on) {
    blueFlame = on;
    return self();
  }

  /** Returns the address of the queue pair. */
  final LocalAddress address() {
    return LocalAddress.of(domain.device(), port, gidIndex, pkeyIndex, pathBits);
  }

  /** Returns the plan of a queue pair that receives nothing. */
  final QueuePairPlan sendingPlan(ServiceType service) {
    return plan(service, 0, 1, sendCompletions, null);
  }

  /**
   * Returns the plan of the queue pair.
   *
   * @param receiveRequests size of the receive queue; 0 for none
   * @param maxScatter scatter entries of a receive request, at least 1
   * @param receiveCompletions where receive requests complete
   * @param sharedReceives what it receives from; null for none
   */
  final QueuePairPlan plan(
      ServiceType service,
      int receiveRequests,
      int maxScatter,
      CompletionQueue receiveCompletions,
      @Nullable SharedReceives sharedReceives) {
    QueuePairShape shape =
        QueuePairShape.of(
            service,
            sendRequests,
            maxGather,
            maxInline,
            nopFill,
            receiveRequests,
            maxScatter,
            signatures,
            domain.device().attributes());
    return new QueuePairPlan(
        domain,
        service,
        sendCompletions,
        receiveCompletions,
        sharedReceives,
        shape,
        nopFill,
        blueFlame,
        answersInCqe,
        receivesInCqe,
        signatures,
        DcStreamCounts.NONE,
        CrossChannel.NONE);
  }

  /** Checks a number of bytes that may come inside a completion. */
  static int requireInCqe(String name, int bytes) {
    if (bytes != 0 && bytes != 32 && bytes != 64) {
      throw new IllegalArgumentException("%s is 0, 32 or 64 bytes, not %d".formatted(name, bytes));
    }
    return bytes;
  }
}
