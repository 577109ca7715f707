package dev.bluebell.program.compile;

import java.util.Locale;

/** Which bits of an entry a program may use. */
public enum Target {
  /**
   * Index, QPN and size of every entry stay valid, as stock firmware checks them: a condition is
   * asked of a word of memory, and its answer is copied over an opcode.
   */
  CHECKED,
  /**
   * Index, QPN and opmod of an entry may hold an operand of up to 48 bits, so that one
   * compare-and-swap asks and arms. For devices that do not check them.
   */
  UNCHECKED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
