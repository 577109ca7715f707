package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;

/** A completion that was polled, for keeps. */
record Done(
    long id,
    CompletionStatus status,
    int syndrome,
    int vendorSyndrome,
    WorkOpcode opcode,
    int byteCount,
    boolean hasImmediate,
    int immediate,
    boolean hasInvalidatedRkey,
    int invalidatedRkey,
    boolean solicited,
    String explanation) {

  static Done of(Completion completion) {
    return new Done(
        completion.id(),
        completion.status(),
        completion.syndrome(),
        completion.vendorSyndrome(),
        completion.opcode(),
        completion.byteCount(),
        completion.hasImmediate(),
        completion.immediate(),
        completion.hasInvalidatedRkey(),
        completion.invalidatedRkey(),
        completion.solicited(),
        completion.explanation());
  }
}
