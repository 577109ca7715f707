package dev.bluebell.conformance;

/** The verdict in a cell of the table of operations. */
public enum Verdict {
  /** The driver has stages for it, and the device executes it. */
  YES("yes"),
  /** The device executes it; the driver has no stages for it. */
  DEVICE("device"),
  /** It does not exist: the driver has no stages for it, and the device refuses it. */
  NO("no"),
  /** Hardware supports it; this device does not, and refuses it. */
  NOT_HERE("not here");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** True when the device executes it. */
  boolean isAllowed() {
    return this == YES || this == DEVICE;
  }

  /** The verdict for a letter. */
  static Verdict of(char letter) {
    return switch (letter) {
      case 'y' -> YES;
      case 'd' -> DEVICE;
      case 'n' -> NO;
      case 'h' -> NOT_HERE;
      default -> throw new IllegalArgumentException("'%c' is not a verdict".formatted(letter));
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
