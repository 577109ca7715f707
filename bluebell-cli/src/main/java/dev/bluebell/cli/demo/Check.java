package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.WorkFailed;
import java.util.Objects;

/** Checks, with a message that says what is wrong. */
final class Check {
  private Check() {}

  static void that(boolean right, String complaint) {
    if (!right) {
      throw new WorkFailed(complaint);
    }
  }

  static void equal(String what, Object expected, Object found) {
    that(
        Objects.equals(expected, found), "%s is %s instead of %s".formatted(what, found, expected));
  }
}
