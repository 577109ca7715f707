package dev.bluebell.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Slots of a ring that were fetched and not executed yet: a snapshot that is read word by word. */
final class Fetched {
  private final int slotBytes;

  /** Index of the first of these slots, unwrapped. */
  private long first;

  private final List<byte[]> whole = new ArrayList<>();
  private byte[] part;
  private int partBytes;

  Fetched(int slotBytes) {
    this.slotBytes = slotBytes;
    part = new byte[slotBytes];
  }

  Fetched copy() {
    Fetched copy = new Fetched(slotBytes);
    copy.first = first;
    copy.whole.addAll(whole);
    copy.part = part.clone();
    copy.partBytes = partBytes;
    return copy;
  }

  /** Index of the next slot to execute. */
  long head() {
    return first;
  }

  /** Index of the next slot to fetch. */
  long next() {
    return first + whole.size();
  }

  /** Reads up to {@code words} words of the next slot. */
  void read(byte[] memory, int place, int words) {
    int bytes = Math.min(8 * words, slotBytes - partBytes);
    System.arraycopy(memory, place + partBytes, part, partBytes, bytes);
    partBytes += bytes;
    if (partBytes == slotBytes) {
      whole.add(part);
      part = new byte[slotBytes];
      partBytes = 0;
    }
  }

  /** The first {@code slots} slots, all of which were read completely. */
  byte[] bytes(int slots) {
    byte[] bytes = new byte[slots * slotBytes];
    for (int i = 0; i < slots; i++) {
      System.arraycopy(whole.get(i), 0, bytes, i * slotBytes, slotBytes);
    }
    return bytes;
  }

  int size() {
    return whole.size();
  }

  /** Forgets executed slots. */
  void pass(int slots) {
    whole.subList(0, slots).clear();
    first += slots;
  }

  void key(StringBuilder key) {
    key.append(first).append(':').append(partBytes).append(Arrays.hashCode(part));
    whole.forEach(slot -> key.append(',').append(Arrays.hashCode(slot)));
  }
}
