package dev.bluebell.softnic.command;

import dev.bluebell.hca.command.CommandStatus;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of a command by the firmware: status and syndrome of the answer, and an explanation.
 */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final int syndrome;
  private final String explanation;

  CommandFailure(int status, String explanation) {
    super(explanation, null, false, false);
    this.status = status;
    this.explanation = explanation;
    // Hardware's syndromes are not public; ours distinguish refusals and are the same in each run.
    syndrome = explanation.replaceAll("[0-9]", "").hashCode() & 0xffffff;
  }

  int status() {
    return status;
  }

  int syndrome() {
    return syndrome;
  }

  String explanation() {
    return explanation;
  }

  /** Returns the object that a command names; refuses with BAD_RES when there is none. */
  static <T> T found(@Nullable T object, String format, Object... arguments) {
    if (object == null) {
      throw new CommandFailure(CommandStatus.BAD_RES, format.formatted(arguments));
    }
    return object;
  }

  /** Refuses with {@code status} unless {@code condition} holds. */
  static void require(boolean condition, int status, String format, Object... arguments) {
    if (!condition) {
      throw new CommandFailure(status, format.formatted(arguments));
    }
  }
}
