package dev.bluebell.softnic.engine;

/**
 * The cost of the current turn beyond the bytes that it moved, as the number of bytes that the
 * device could have moved in that time: a key may name memory in one-byte pieces, or memory of
 * another process. Owned by the thread that runs the engine.
 */
public final class Effort {
  /** A piece of memory that is looked up behind a key and copied on its own. */
  public static final int PIECE = 256;

  /** A system call, which copies from and to other processes need. */
  public static final int SYSTEM_CALL = 8 << 10;

  /** An entry of a list that is read or written as a whole. */
  public static final int ENTRY = 64;

  /** The cost above which a train of packets is heavy: the next train is a single packet. */
  private static final int HEAVY = 512 << 10;

  /** Packets of a train, to estimate the cost of the next one. */
  private static final int TRAIN = 16;

  private long spent;

  /** Begins a turn. */
  void begin() {
    spent = 0;
  }

  /**
   * Adds the cost of some work.
   *
   * @param bytes that could have been moved in that time
   */
  public void add(long bytes) {
    spent += bytes;
  }

  /** The cost of the turn so far. */
  public long spent() {
    return spent;
  }

  /**
   * True when packets are to be sent one by one, so that a turn can end after each.
   *
   * @param caused cost of the last piece of the message
   * @param heavy what this method returned for that piece: true when it was a single packet
   */
  public static boolean isHeavy(long caused, boolean heavy) {
    return caused > (heavy ? HEAVY / TRAIN : HEAVY);
  }
}
