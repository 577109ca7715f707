package dev.bluebell.verifier;

/**
 * A transfer of bytes between a request and memory, word by word: the bytes within one aligned word
 * of 8 bytes move atomically, others do not.
 */
final class Transfer {
  /** The places of bytes, which the contents of keys determine when the bytes move. */
  interface Where {
    /**
     * The places.
     *
     * @param memory all memory, the contents of keys included
     * @return the place of each byte; −1 for a byte that does not move
     */
    int[] in(byte[] memory);
  }

  private final Where where;
  private final int length;
  private int done;

  /**
   * Creates a transfer.
   *
   * @param where places of the bytes
   * @param length number of bytes
   */
  Transfer(Where where, int length) {
    this.where = where;
    this.length = length;
  }

  /** Creates a transfer of bytes at fixed places; −1 for a byte that does not move. */
  Transfer(int[] places) {
    this(memory -> places, places.length);
  }

  private Transfer(Transfer other) {
    where = other.where;
    length = other.length;
    done = other.done;
  }

  Transfer copy() {
    return new Transfer(this);
  }

  boolean isDone() {
    return done == length;
  }

  int done() {
    return done;
  }

  /** Moves up to {@code words} words from memory to the payload. */
  void read(byte[] memory, byte[] payload, int words) {
    int[] places = where.in(memory);
    for (int end = end(places, words); done < end; done++) {
      if (places[done] >= 0) {
        payload[done] = memory[places[done]];
      }
    }
  }

  /** Moves up to {@code words} words from the payload to memory. */
  void write(byte[] memory, byte[] payload, int words) {
    int[] places = where.in(memory);
    for (int end = end(places, words); done < end; done++) {
      if (places[done] >= 0) {
        memory[places[done]] = payload[done];
      }
    }
  }

  /** Place of the next byte to move. */
  int next(byte[] memory) {
    return where.in(memory)[done];
  }

  /** Place of the first byte that moves; −1 when none does. */
  int first(byte[] memory) {
    for (int place : where.in(memory)) {
      if (place >= 0) {
        return place;
      }
    }
    return -1;
  }

  /** Number of bytes. */
  int length() {
    return length;
  }

  private int end(int[] places, int words) {
    int end = done;
    for (int i = 0; i < words && end < places.length; i++) {
      int word = places[end] >> 3;
      int last = places[end];
      end++;
      while (end < places.length && places[end] == last + 1 && places[end] >> 3 == word) {
        last = places[end++];
      }
    }
    return end;
  }
}
