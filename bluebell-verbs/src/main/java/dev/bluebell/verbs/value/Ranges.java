package dev.bluebell.verbs.value;

/** Checks of arguments. */
public final class Ranges {
  private Ranges() {}

  /** Returns the value of the parameter if it lies in the range. */
  public static int require(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d, not %d".formatted(name, min, max, value));
    }
    return value;
  }
}
