package dev.bluebell.cli.command;

import dev.bluebell.verbs.Completion;

/** The work of a command failed, for a reason that the one sentence gives in full: exit code 1. */
public final class WorkFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Takes a sentence that names the object and the remedy, without a full stop. */
  public WorkFailed(String sentence) {
    super(sentence);
  }

  /** The exception for a completion in error. */
  public static WorkFailed of(Completion completion) {
    return new WorkFailed(
        "%s failed with %s: %s"
            .formatted(completion.opcode(), completion.status(), completion.explanation()));
  }

  /**
   * Accepts a completion.
   *
   * @throws WorkFailed if it is not a success
   */
  public static void unlessSuccess(Completion completion) {
    if (!completion.isSuccess()) {
      throw of(completion);
    }
  }
}
