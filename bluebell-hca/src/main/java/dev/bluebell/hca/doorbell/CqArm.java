package dev.bluebell.hca.doorbell;

/** The command that arms a completion queue for one event. Mirrors {@code cq.c: mlx5_arm_cq}. */
public final class CqArm {
  /** cmd bit: notify only for solicited completions and errors. */
  public static final int SOLICITED_ONLY = 1 << 24;

  public static final int INDEX_MASK = 0xffffff;

  /** Bits of the 8-byte register value that are 0 in every command. */
  private static final long RESERVED = 0xce00_0000_ff00_0000L;

  private CqArm() {}

  /**
   * The 4 bytes of the doorbell record: arm sequence number (2 bits), command, consumer index (24
   * bits).
   */
  public static int record(int sequence, boolean solicitedOnly, int consumerIndex) {
    return (sequence & 3) << 28 | (solicitedOnly ? SOLICITED_ONLY : 0) | consumerIndex & INDEX_MASK;
  }

  /** The 8 bytes of the register at {@link Uar#CQ_DOORBELL}: the record, then the CQ number. */
  public static long register(int record, int cqn) {
    return (long) record << 32 | cqn & 0xffffffL;
  }

  /** Arm sequence number, 2 bits. */
  public static int sequence(int record) {
    return record >>> 28 & 3;
  }

  /** True when only solicited completions and errors are to raise the event. */
  public static boolean solicitedOnly(int record) {
    return (record & SOLICITED_ONLY) != 0;
  }

  /** Consumer index, 24 bits: a completion at this index or later raises the event. */
  public static int consumerIndex(int record) {
    return record & INDEX_MASK;
  }

  /** True for a register write that can be a command. */
  public static boolean isCommand(long register) {
    return (register & RESERVED) == 0;
  }

  /** The command that a register write carries. */
  public static int record(long register) {
    return (int) (register >>> 32);
  }

  /** The completion queue that a register write names, 24 bits. */
  public static int cqn(long register) {
    return (int) register & 0xffffff;
  }
}
