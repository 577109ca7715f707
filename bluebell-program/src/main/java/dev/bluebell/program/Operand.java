package dev.bluebell.program;

/**
 * What a statement reads: a constant, what a client sent, what was loaded, or a cell.
 *
 * @param <K> what its bytes are
 */
public sealed interface Operand<K extends Kind> permits Literal, DataPointer, Input, Field, Cell {
  /** Its length. */
  int bytes();
}
