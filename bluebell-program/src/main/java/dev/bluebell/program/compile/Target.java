package dev.bluebell.program.compile;

import java.util.Locale;

/** The bits of an entry that a program may use. */
public enum Target {
  /**
   * Index, QPN and size of every entry stay valid, because stock firmware checks them: a condition
   * is evaluated on a word of memory, and its result is copied over an opcode.
   */
  CHECKED,
  /**
   * Index, QPN and opmod of an entry may hold an operand of up to 48 bits, so that one
   * compare-and-swap evaluates a condition and applies it. For devices that do not check them.
   */
  UNCHECKED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
