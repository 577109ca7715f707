package dev.bluebell.softnic.command;

import dev.bluebell.hca.command.CommandStatus;
import org.jspecify.annotations.Nullable;

/**
 * A command that the firmware refuses: status and syndrome of the answer, and the sentence that
 * explains it.
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
    // Hardware's syndromes are not public; ours tell refusals apart and stay the same from run to
    // run.
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

  /** The object that a command names; refuses with BAD_RES when there is none. */
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
