package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;

/** A completion, copied out of the queue's view. */
record Done(
    long id,
    CompletionStatus status,
    int vendorSyndrome,
    WorkOpcode opcode,
    int byteCount,
    boolean hasImmediate,
    int immediate,
    boolean hasInvalidatedRkey,
    int queuePairNumber,
    boolean solicited,
    String explanation) {

  static Done of(Completion completion) {
    return new Done(
        completion.id(),
        completion.status(),
        completion.vendorSyndrome(),
        completion.opcode(),
        completion.byteCount(),
        completion.hasImmediate(),
        completion.immediate(),
        completion.hasInvalidatedRkey(),
        completion.queuePairNumber(),
        completion.solicited(),
        completion.explanation());
  }

  boolean isSuccess() {
    return status == CompletionStatus.SUCCESS;
  }

  /** Expects a success with this id. */
  Done requireSuccess(long expectedId) {
    return require(expectedId, CompletionStatus.SUCCESS);
  }

  /** Expects this status and id. */
  Done require(long expectedId, CompletionStatus expected) {
    assertThat(status).as(explanation).isEqualTo(expected);
    assertThat(id).isEqualTo(expectedId);
    return this;
  }

  /** Expects all of these in the explanation, if the device explains failures. */
  Done requireExplained(Bench bench, Object... fragments) {
    if (bench.explains()) {
      String heard = bench.heard(explanation);
      for (Object fragment : fragments) {
        assertThat(heard).contains(fragment.toString());
      }
    }
    return this;
  }
}
