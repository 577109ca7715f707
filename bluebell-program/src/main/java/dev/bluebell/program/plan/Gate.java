package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;

/**
 * A SEND_EN at the end of a loop's lap, which a break opens or closes: its opcode is SEND_EN when
 * the gate is open, and NOP when it is closed.
 */
public final class Gate implements Block {
  /** Bytes of an entry that contain its indices. */
  private static final int BYTES = 32;

  private final Lane lane;
  private final String name;
  private final String purpose;
  private final int initialOpcode;

  private Gate(Lane lane, String name, String purpose, int initialOpcode) {
    this.lane = lane;
    this.name = name;
    this.purpose = purpose;
    this.initialOpcode = initialOpcode;
  }

  /** The gate to the next lap: open until a break closes it. */
  public static Gate next(Lane lane) {
    return new Gate(
        lane, "next lap", "go on with the next lap, unless a break closes it", WqeOpcode.SEND_EN);
  }

  /** The gate out of the loop: closed until a break opens it. */
  public static Gate exit(Lane lane) {
    return new Gate(lane, "exit", "go on after the loop when a break opens it", WqeOpcode.NOP);
  }

  /** The loop's queue. */
  Lane lane() {
    return lane;
  }

  /** The byte that opens and closes it. */
  public Span opcodeField() {
    return new Span(this, ControlSegment.OPCODE.bit() / Byte.SIZE, 1);
  }

  /** The initial value of that byte. */
  public int opcodeAtFirst() {
    return initialOpcode;
  }

  /** The value that a break writes to that byte. */
  public int opcodeOfBreak() {
    return initialOpcode == WqeOpcode.NOP ? WqeOpcode.SEND_EN : WqeOpcode.NOP;
  }

  /** Its purpose in listings. */
  String purpose() {
    return purpose;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int bytes() {
    return BYTES;
  }
}
