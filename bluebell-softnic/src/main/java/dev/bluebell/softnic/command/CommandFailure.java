package dev.bluebell.softnic.command;

/** A command that the firmware refuses: status and syndrome of the answer, and the sentence that explains it. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final int syndrome;

  CommandFailure(int status, String explanation) {
    super(explanation, null, false, false);
    this.status = status;
    // Hardware's syndromes are not public; ours tell refusals apart and stay the same from run to run.
    syndrome = explanation.replaceAll("[0-9]", "").hashCode() & 0xffffff;
  }

  int status() {
    return status;
  }

  int syndrome() {
    return syndrome;
  }

  /** Refuses with {@code status} unless {@code condition} holds. */
  static void require(boolean condition, int status, String format, Object... arguments) {
    if (!condition) {
      throw new CommandFailure(status, format.formatted(arguments));
    }
  }
}
