package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;

/** Something to time, in rounds: prepare, run against the clock, verify. Belongs to one thread. */
interface Traffic {

  /** Most messages of a round. */
  int window();

  /** Poisons the destinations and wakes the device, before the clock starts. */
  void prepare(int messages);

  /** Moves the messages of the round; returns when all are complete. */
  void run();

  /** Whether every message of the round arrived, as it was sent; after the clock has stopped. */
  boolean verify();

  /** Does with plain memory copies what a full round does; false when there is no such thing. */
  boolean copy();

  /** What to throw for a completion that failed. */
  static WorkFailed failed(Completion completion) {
    return new WorkFailed(
        "%s failed with %s: %s"
            .formatted(completion.opcode(), completion.status(), completion.explanation()));
  }
}
