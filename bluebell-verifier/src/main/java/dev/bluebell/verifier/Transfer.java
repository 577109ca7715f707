package dev.bluebell.verifier;

/**
 * Bytes on their way between a request and memory, word by word: what lies in one aligned word of 8
 * bytes moves at once, and nothing else does.
 */
final class Transfer {
  private final int[] places;
  private int done;

  /**
   * Makes one.
   *
   * @param places where each byte lies; −1 for one that does not move
   */
  Transfer(int[] places) {
    this.places = places;
  }

  private Transfer(Transfer other) {
    places = other.places;
    done = other.done;
  }

  Transfer copy() {
    return new Transfer(this);
  }

  boolean isDone() {
    return done == places.length;
  }

  int done() {
    return done;
  }

  /** Moves at most so many words from memory to the payload. */
  void read(byte[] memory, byte[] payload, int words) {
    for (int end = end(words); done < end; done++) {
      if (places[done] >= 0) {
        payload[done] = memory[places[done]];
      }
    }
  }

  /** Moves at most so many words from the payload to memory. */
  void write(byte[] memory, byte[] payload, int words) {
    for (int end = end(words); done < end; done++) {
      if (places[done] >= 0) {
        memory[places[done]] = payload[done];
      }
    }
  }

  /** The next word alone, without moving it. */
  int next() {
    return places[done];
  }

  /** Place of the first byte that moves; −1 when none does. */
  int first() {
    for (int place : places) {
      if (place >= 0) {
        return place;
      }
    }
    return -1;
  }

  /** How many bytes there are. */
  int length() {
    return places.length;
  }

  private int end(int words) {
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
