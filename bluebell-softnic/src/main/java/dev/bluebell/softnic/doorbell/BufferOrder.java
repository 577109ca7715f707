package dev.bluebell.softnic.doorbell;

import java.util.Arrays;

/**
 * Checks that drivers alternate between the two buffers of each register of a page. A card may lose
 * a doorbell that is written to the same buffer as the one before; a strict device loses every
 * second one.
 */
final class BufferOrder {
  private static final int NONE = -1;

  /** By register: the buffer that was last rung, and the queue pair that rang it. */
  private final int[] lastBuffer = new int[UarPage.BUFFERS / 2];

  private final int[] lastQpn = new int[UarPage.BUFFERS / 2];

  BufferOrder() {
    forget();
  }

  /** Forgets everything, because a number may now belong to another queue pair. */
  void forget() {
    Arrays.fill(lastBuffer, NONE);
  }

  /** Forgets one register, because its last written buffer is unknown. */
  void forget(int register) {
    lastBuffer[register] = NONE;
  }

  /**
   * Notes a doorbell, the last of its queue pair.
   *
   * @param alternated whether the other buffer has been written since
   * @return true when it is lost
   */
  boolean loses(int buffer, int qpn, boolean alternated) {
    int register = buffer >> 1;
    boolean again = lastBuffer[register] == buffer && lastQpn[register] == qpn && !alternated;
    lastBuffer[register] = again ? NONE : buffer;
    lastQpn[register] = qpn;
    return again;
  }
}
