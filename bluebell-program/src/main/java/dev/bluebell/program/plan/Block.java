package dev.bluebell.program.plan;

/** Something with an address: memory of the program, an entry of a queue, a doorbell record. */
public sealed interface Block permits Area, Instruction, Slot, ReceiveRecord {
  /** What listings call it. */
  String name();

  /** Its length. */
  int bytes();
}
