package dev.bluebell.cli.command;

/** The work of a command failed for a reason that its one sentence tells in full: exit code 1. */
public final class WorkFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Takes a sentence that names the thing and the remedy, without a full stop. */
  public WorkFailed(String sentence) {
    super(sentence);
  }
}
