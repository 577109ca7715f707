package dev.bluebell.program.plan;

/** Something with an address: memory of the program, entries of a queue, a doorbell record. */
public sealed interface Block permits Area, Instruction, Gate, Slot, ReceiveRecord {
  /** What listings call it. */
  String name();

  /** Its length. */
  int bytes();
}
