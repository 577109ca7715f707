package dev.bluebell.roce.packet;

/** Arithmetic of 24-bit packet sequence numbers, which wrap. */
public final class Psn {
  public static final int MASK = 0xffffff;

  private Psn() {}

  public static int add(int psn, int count) {
    return psn + count & MASK;
  }

  /**
   * Distance from {@code from} to {@code to}: positive when {@code to} is newer, −2^23 … 2^23 − 1.
   */
  public static int distance(int from, int to) {
    return (to - from) << 8 >> 8;
  }

  /**
   * Number of packets for {@code bytes} at a path MTU of {@code 2^logMtu}; 1 for an empty message.
   */
  public static int packets(long bytes, int logMtu) {
    return bytes == 0 ? 1 : (int) ((bytes + (1L << logMtu) - 1) >>> logMtu);
  }
}
