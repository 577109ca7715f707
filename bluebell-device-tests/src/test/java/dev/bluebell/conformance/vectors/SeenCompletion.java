package dev.bluebell.conformance.vectors;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DatagramSource;
import dev.bluebell.verbs.WorkOpcode;

/** A completion as the driver reported it. */
record SeenCompletion(
    long id,
    CompletionStatus status,
    int vendorSyndrome,
    WorkOpcode opcode,
    int byteCount,
    boolean hasImmediate,
    int immediate,
    boolean hasInvalidatedRkey,
    int invalidatedRkey,
    int qpn,
    Source source,
    long timestamp) {

  /** The source of a datagram. */
  record Source(int qpn, boolean hasHeader, int lid, int serviceLevel, int pathBits) {}

  static SeenCompletion of(Completion completion) {
    return new SeenCompletion(
        completion.id(),
        completion.status(),
        completion.vendorSyndrome(),
        completion.opcode(),
        completion.byteCount(),
        completion.hasImmediate(),
        completion.immediate(),
        completion.hasInvalidatedRkey(),
        completion.invalidatedRkey(),
        completion.queuePairNumber(),
        source(completion.source()),
        completion.timestamp());
  }

  private static Source source(DatagramSource source) {
    return new Source(
        source.queuePairNumber(),
        source.hasHeader(),
        source.localIdentifier(),
        source.serviceLevel(),
        source.pathBits());
  }

  boolean isSuccess() {
    return status == CompletionStatus.SUCCESS;
  }

  boolean isAtomic() {
    return opcode == WorkOpcode.COMPARE_AND_SWAP || opcode == WorkOpcode.FETCH_AND_ADD;
  }

  boolean isReceive() {
    return opcode == WorkOpcode.RECEIVE || opcode == WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE;
  }
}
