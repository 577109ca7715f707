package dev.bluebell.test;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;

/**
 * A copy of a completion, which later polls do not change.
 *
 * @param id id of the request
 * @param byteCount see {@link Completion#byteCount}
 * @param hasImmediate whether {@code immediate} is valid
 * @param queuePair number of the queue pair
 * @param explanation reason of a failure, in a sentence; empty for a success
 */
public record Done(
    long id,
    CompletionStatus status,
    WorkOpcode opcode,
    int byteCount,
    boolean hasImmediate,
    int immediate,
    int queuePair,
    String explanation) {

  /** Copies a completion. */
  public static Done of(Completion completion) {
    return new Done(
        completion.id(),
        completion.status(),
        completion.opcode(),
        completion.byteCount(),
        completion.hasImmediate(),
        completion.hasImmediate() ? completion.immediate() : 0,
        completion.queuePairNumber(),
        completion.isSuccess() ? "" : completion.explanation());
  }

  /** Expects a success with an id. */
  public Done expectSuccess(long expectedId) {
    return expect(expectedId, CompletionStatus.SUCCESS);
  }

  /** Expects a status and an id. */
  public Done expect(long expectedId, CompletionStatus expected) {
    if (status != expected || id != expectedId) {
      throw new AssertionError(
          "expected %s of request %d, but got %s".formatted(expected, expectedId, this));
    }
    return this;
  }

  /** Expects that the explanation contains all these fragments. */
  public Done expectExplained(String... fragments) {
    for (String fragment : fragments) {
      if (!explanation.contains(fragment)) {
        throw new AssertionError(
            "expected an explanation with '%s', but got %s".formatted(fragment, this));
      }
    }
    return this;
  }

  /** The completion on one line. */
  @Override
  public String toString() {
    String what = "%s of request %d (%s, QP 0x%x)".formatted(status, id, opcode, queuePair);
    return explanation.isEmpty() ? what : what + ": " + explanation;
  }
}
