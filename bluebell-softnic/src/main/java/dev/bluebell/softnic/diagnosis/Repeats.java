package dev.bluebell.softnic.diagnosis;

/**
 * Limits the explanations of something that can happen thousands of times, and would then use up
 * the device's time: the first ones are explained, then only those whose count is a power of two.
 * For one thread at a time.
 */
public final class Repeats {
  private final int always;
  private int count;

  /**
   * @param always how many are explained before the limit applies
   */
  public Repeats(int always) {
    this.always = always;
  }

  /** Counts one more; true when it is to be explained. */
  public boolean add() {
    count++;
    return Integer.compareUnsigned(count, always) <= 0 || Integer.bitCount(count) == 1;
  }

  /** How many there were, unsigned, modulo 2^32. */
  public int count() {
    return count;
  }
}
