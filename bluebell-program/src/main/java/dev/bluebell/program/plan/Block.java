package dev.bluebell.program.plan;

/**
 * An object with an address: memory of the program, a queue entry, a doorbell record, or memory of
 * the client.
 */
public sealed interface Block permits Area, Instruction, Gate, Slot, ReceiveRecord, ClientMemory {
  /** Its name in listings. */
  String name();

  /** Length in bytes. */
  int bytes();
}
