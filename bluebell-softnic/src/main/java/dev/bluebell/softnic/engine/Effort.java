package dev.bluebell.softnic.engine;

/**
 * What the turn at hand has caused beside the bytes that it moved, in bytes that could have been
 * moved in that time: a key may name memory in pieces of a byte, or of another process. Owned by
 * the thread that runs the engine.
 */
public final class Effort {
  /** A piece of memory that was looked up behind a key, and is copied by itself. */
  public static final int PIECE = 256;

  /** A system call, as copies from and to other processes take. */
  public static final int SYSTEM_CALL = 8 << 10;

  /** An entry of a list that is read or written as a whole. */
  public static final int ENTRY = 64;

  /** What makes a train of packets a heavy one: the next is of a single packet. */
  private static final int HEAVY = 512 << 10;

  /** Packets of a train, as far as the weight of the next is foreseen. */
  private static final int TRAIN = 16;

  private long spent;

  /** A turn begins. */
  void begin() {
    spent = 0;
  }

  /**
   * Takes note of work.
   *
   * @param bytes that could have been moved in that time
   */
  public void add(long bytes) {
    spent += bytes;
  }

  /** All of the turn so far. */
  public long spent() {
    return spent;
  }

  /**
   * True when packets are to be sent one by one, so that a turn can end behind each.
   *
   * @param caused what the last piece of a message caused
   * @param heavy what this returned then: that piece was a single packet
   */
  public static boolean isHeavy(long caused, boolean heavy) {
    return caused > (heavy ? HEAVY / TRAIN : HEAVY);
  }
}
