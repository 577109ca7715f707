package dev.bluebell.lab.litmus;

/**
 * An order that the model does not require, and that the software ConnectX always keeps.
 *
 * @see Model
 */
enum Strength {
  /** A put completes only when its write is visible at the other node. */
  PUT_COMPLETES_VISIBLE("M159"),

  /** Gets and remote atomics of a queue pair are executed in order. */
  READS_IN_ORDER("M271"),

  /** The NIC reads its earlier writes, even if processors do not see them yet. */
  READS_SEE_WRITES("M160"),

  /** The read and the write of a remote atomic are one step. */
  ATOMICS_WHOLE("M313");

  private final String row;

  Strength(String row) {
    this.row = row;
  }

  /** Its row in the machine model. */
  String row() {
    return row;
  }
}
