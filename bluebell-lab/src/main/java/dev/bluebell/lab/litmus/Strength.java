package dev.bluebell.lab.litmus;

/**
 * An order that the model does not require, and that the software ConnectX always keeps.
 *
 * @see Model
 */
enum Strength {
  /** A put completes only when its write is visible at the other node. */
  PUT_COMPLETES_VISIBLE("M159", "a put completes only when its write is visible"),

  /** Gets and remote atomics of a queue pair are executed in order. */
  READS_IN_ORDER("M271", "READs and atomics of a queue pair are executed in order"),

  /** The NIC reads its earlier writes, even if processors do not see them yet. */
  READS_SEE_WRITES("M160", "the NIC reads what it has written, visible or not"),

  /** The read and the write of a remote atomic are one step. */
  ATOMICS_WHOLE("M313", "an atomic is one step, for the processor and for WRITEs, too");

  private final String row;
  private final String rule;

  Strength(String row, String rule) {
    this.row = row;
    this.rule = rule;
  }

  /** Its row in the machine model. */
  String row() {
    return row;
  }

  /** The behaviour of the device. */
  String rule() {
    return rule;
  }
}
