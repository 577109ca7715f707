package dev.bluebell.program.plan;

/**
 * Something with an address: memory of the program, entries of a queue, a doorbell record, memory
 * of the client.
 */
public sealed interface Block permits Area, Instruction, Gate, Slot, ReceiveRecord, ClientMemory {
  /** What listings call it. */
  String name();

  /** Its length. */
  int bytes();
}
