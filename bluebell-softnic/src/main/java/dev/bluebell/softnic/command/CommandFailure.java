package dev.bluebell.softnic.command;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.softnic.queue.ObjectTable;
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

  /**
   * Reserves a number in a table; refuses with NO_RES when all are in use.
   *
   * @param format of the refusal; its argument is the number of objects in the table
   */
  static int allocated(ObjectTable<?> table, String format) {
    int number = table.allocate();
    require(number >= 0, CommandStatus.NO_RES, format, table.count());
    return number;
  }

  /**
   * Refuses with RES_BUSY while an object has users.
   *
   * @param format of the refusal; its arguments are {@code name} and {@code users}
   * @param name number or address of the object
   */
  static void requireUnused(int users, String format, long name) {
    require(users == 0, CommandStatus.RES_BUSY, format, name, users);
  }

  /** Refuses with BAD_PARAM unless {@code condition} holds. */
  static void requireValid(boolean condition, String format, Object... arguments) {
    require(condition, CommandStatus.BAD_PARAM, format, arguments);
  }

  /** Refuses with {@code status} unless {@code condition} holds. */
  static void require(boolean condition, int status, String format, Object... arguments) {
    if (!condition) {
      throw new CommandFailure(status, format.formatted(arguments));
    }
  }
}
