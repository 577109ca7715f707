package dev.bluebell.program;

/**
 * A value that a statement reads: a constant, an input, a loaded field, or a cell.
 *
 * @param <K> type of its bytes
 */
public sealed interface Operand<K extends Kind> permits Literal, DataPointer, Input, Field, Cell {
  /** Length in bytes. */
  int bytes();
}
