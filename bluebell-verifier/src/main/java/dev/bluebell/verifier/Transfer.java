package dev.bluebell.verifier;

/**
 * Bytes on their way between a request and memory, word by word: what lies in one aligned word of 8
 * bytes moves at once, and nothing else does.
 */
final class Transfer {
  /** Where bytes lie, which the contents of keys decide when they move. */
  interface Where {
    /**
     * The places.
     *
     * @param memory all memory, the contents of keys included
     * @return where each byte lies; −1 for one that does not move
     */
    int[] in(byte[] memory);
  }

  private final Where where;
  private final int length;
  private int done;

  /**
   * Makes one.
   *
   * @param where where the bytes lie
   * @param length how many they are
   */
  Transfer(Where where, int length) {
    this.where = where;
    this.length = length;
  }

  /** Bytes that lie at the same places at all times; −1 for one that does not move. */
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

  /** Moves at most so many words from memory to the payload. */
  void read(byte[] memory, byte[] payload, int words) {
    int[] places = where.in(memory);
    for (int end = end(places, words); done < end; done++) {
      if (places[done] >= 0) {
        payload[done] = memory[places[done]];
      }
    }
  }

  /** Moves at most so many words from the payload to memory. */
  void write(byte[] memory, byte[] payload, int words) {
    int[] places = where.in(memory);
    for (int end = end(places, words); done < end; done++) {
      if (places[done] >= 0) {
        memory[places[done]] = payload[done];
      }
    }
  }

  /** The next word alone, without moving it. */
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

  /** How many bytes there are. */
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
