package dev.bluebell.examples.keyvalue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a bucket, 512 bytes of the table, as a client has read it:
 *
 * <pre>
 *   0  word: version (48 bits), who has it locked (16 bits, 0 for nobody)
 *   8  copy 0, which counts while the version is even
 * 256  copy 1, which counts while the version is odd
 * </pre>
 *
 * <p>A copy has a checksum over its version and its entries, and 6 entries: a key (0 for a free
 * one), a length and 31 bytes. A client that has locked the bucket writes the copy that does not
 * count, and then the word with the next version, which also unlocks the bucket. So readers need no
 * lock, and a client that dies during a change has changed nothing.
 *
 * <p>Memory of zeros is an empty bucket.
 */
final class Bucket {
  static final int BYTES = 512;
  static final int ENTRIES = 6;
  static final int COPY_BYTES = 248;

  private static final int FIRST_COPY = 8;
  private static final int FIRST_ENTRY = 8;
  private static final int ENTRY_BYTES = 40;
  private static final int LENGTH = 8;
  private static final int VALUE = 9;
  private static final int OWNER_BITS = 16;
  private static final long OWNER_MASK = 0xffff;
  private static final long MIX = 0x9e3779b97f4a7c15L;
  private static final int NONE = -1;

  private final MemorySegment memory;

  /**
   * @param memory {@link #BYTES} into which a client reads buckets
   */
  Bucket(MemorySegment memory) {
    this.memory = memory;
  }

  /** Offset of the bucket of a key in a table. */
  static long offset(long key, long tableBytes) {
    return Long.remainderUnsigned(key, tableBytes / BYTES) * BYTES;
  }

  /** Number of the client that has locked it; 0 when it is unlocked. */
  static int owner(long word) {
    return (int) (word & OWNER_MASK);
  }

  /** The word locked by a client. */
  static long locked(long word, int owner) {
    return word | owner;
  }

  /** The same word unlocked, for an unchanged bucket. */
  static long unlocked(long word) {
    return word & ~OWNER_MASK;
  }

  /** The unlocked word that makes the other copy count. */
  static long changed(long word) {
    return ((word >>> OWNER_BITS) + 1) << OWNER_BITS;
  }

  /** Offset of the copy that counts according to a word. */
  static int copyOf(long word) {
    return FIRST_COPY + (int) ((word >>> OWNER_BITS) & 1) * COPY_BYTES;
  }

  long word() {
    return memory.get(ValueLayout.JAVA_LONG, 0);
  }

  /**
   * True when the copy that counts is consistent. Otherwise, other clients changed the bucket twice
   * while it was read.
   */
  boolean isWhole() {
    return memory.get(ValueLayout.JAVA_LONG, copyOf(word())) == checksum(word());
  }

  private long checksum(long word) {
    long sum = (word >>> OWNER_BITS) * MIX;
    int copy = copyOf(word);
    for (int at = FIRST_ENTRY; at < COPY_BYTES; at += Long.BYTES) {
      sum = (sum ^ memory.get(ValueLayout.JAVA_LONG, copy + at)) * MIX;
      sum ^= sum >>> Integer.SIZE;
    }
    return sum;
  }

  private long entry(long word, int number) {
    return copyOf(word) + FIRST_ENTRY + (long) number * ENTRY_BYTES;
  }

  /** The value of a key, in the copy that counts. */
  byte @Nullable [] value(long key) {
    int number = find(key);
    if (number == NONE) {
      return null;
    }
    long entry = entry(word(), number);
    byte[] value = new byte[memory.get(ValueLayout.JAVA_BYTE, entry + LENGTH)];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, entry + VALUE, value, 0, value.length);
    return value;
  }

  private int find(long key) {
    for (int number = 0; number < ENTRIES; number++) {
      if (memory.get(ValueLayout.JAVA_LONG, entry(word(), number)) == key) {
        return number;
      }
    }
    return NONE;
  }

  /**
   * Prepares the other copy, with one entry changed, and its word.
   *
   * @param value null to remove the key
   * @return false when there is no room for the key, or no such key to remove; nothing was prepared
   */
  boolean change(long key, byte @Nullable [] value) {
    int number = find(key);
    if (number == NONE && value != null) {
      number = find(0);
    }
    if (number == NONE) {
      return false;
    }
    long next = changed(word());
    MemorySegment.copy(memory, copyOf(word()), memory, copyOf(next), COPY_BYTES);
    long entry = entry(next, number);
    memory.asSlice(entry, ENTRY_BYTES).fill((byte) 0);
    if (value != null) {
      memory.set(ValueLayout.JAVA_LONG, entry, key);
      memory.set(ValueLayout.JAVA_BYTE, entry + LENGTH, (byte) value.length);
      MemorySegment.copy(value, 0, memory, ValueLayout.JAVA_BYTE, entry + VALUE, value.length);
    }
    memory.set(ValueLayout.JAVA_LONG, copyOf(next), checksum(next));
    memory.set(ValueLayout.JAVA_LONG, 0, next);
    return true;
  }
}
