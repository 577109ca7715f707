package dev.bluebell.program.plan;

/** Something with an address: memory of the program, or an entry of a queue. */
public sealed interface Block permits Area, Instruction {
  /** What listings call it. */
  String name();

  /** Its length. */
  int bytes();
}
