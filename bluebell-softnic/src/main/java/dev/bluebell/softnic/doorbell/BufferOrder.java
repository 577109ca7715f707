package dev.bluebell.softnic.doorbell;

import java.util.Arrays;

/**
 * Whether drivers alternate between the two buffers of each register of a page. A card may lose a
 * doorbell that is written where the one before was; a strict device loses each second one.
 */
final class BufferOrder {
  private static final int NONE = -1;

  /** By register: the buffer that was taken last, and by which queue pair. */
  private final int[] lastBuffer = new int[UarPage.BUFFERS / 2];

  private final int[] lastQpn = new int[UarPage.BUFFERS / 2];

  BufferOrder() {
    forget();
  }

  /** Starts anew, because a number may now stand for another queue pair. */
  void forget() {
    Arrays.fill(lastBuffer, NONE);
  }

  /** Starts anew at one register, because it is not known which buffer was written last. */
  void forget(int register) {
    lastBuffer[register] = NONE;
  }

  /**
   * Notes a doorbell, the last of its queue pair.
   *
   * @param alternated whether the other buffer was written since, too
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
