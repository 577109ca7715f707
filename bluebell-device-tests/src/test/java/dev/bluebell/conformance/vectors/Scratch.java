package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Memory in place of a ring, a record or a register, which detects writes. */
final class Scratch {
  private static final int ALIGNMENT = 4096;

  /**
   * Fill patterns unlike any word of a queue entry; they differ because rings are copied to
   * registers.
   */
  private static final long UNTOUCHED_MEMORY = 0x9d5e_e0a7_c3f1_8b64L;

  private static final long UNTOUCHED_REGISTER = 0x8b64_c3f1_e0a7_9d5eL;

  private final MemorySegment segment;
  private final long untouched;

  private Scratch(int bytes, long untouched) {
    this.untouched = untouched;
    segment = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    clear();
  }

  static Scratch memory(int bytes) {
    return new Scratch(bytes, UNTOUCHED_MEMORY);
  }

  static Scratch register(int bytes) {
    return new Scratch(bytes, UNTOUCHED_REGISTER);
  }

  /** Resets all memory to untouched. */
  void clear() {
    for (long at = 0; at < segment.byteSize(); at += Long.BYTES) {
      segment.set(ValueLayout.JAVA_LONG, at, untouched);
    }
  }

  long address() {
    return segment.address();
  }

  MemorySegment segment() {
    return segment;
  }

  byte[] bytes(long offset, int length) {
    return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  void write(long offset, byte[] bytes) {
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, bytes.length);
  }

  /** A big-endian number of 4 bytes. */
  int integer(long offset) {
    return Integer.reverseBytes(segment.get(ValueLayout.JAVA_INT, offset));
  }

  /**
   * Compares the entries of a ring with recorded ones, each under its mask, and expects all others
   * untouched.
   *
   * @param what the name of an entry
   * @param recorded entries with an index, and with a slot unless the index determines it
   */
  void compare(String what, int entryBytes, JsonNode recorded, List<String> differences) {
    int slots = (int) (segment.byteSize() / entryBytes);
    boolean[] compared = new boolean[slots];
    for (JsonNode entry : recorded) {
      int index = Numbers.integer(entry, "index");
      int slot = entry.has("slot") ? Numbers.integer(entry, "slot") : index & slots - 1;
      if (slot < 0 || slot >= slots) {
        throw new IllegalArgumentException("slot %d is outside the ring".formatted(slot));
      }
      compared[slot] = true;
      MaskedBytes.of(entry)
          .difference("%s %d".formatted(what, index), bytes((long) slot * entryBytes, entryBytes))
          .ifPresent(differences::add);
    }
    for (int slot = 0; slot < slots; slot++) {
      if (!compared[slot] && !isUntouched((long) slot * entryBytes, entryBytes)) {
        differences.add("slot %d was written, recorded untouched".formatted(slot));
      }
    }
  }

  /** True when the 8 bytes at an offset are untouched. */
  boolean isUntouched(long offset) {
    return segment.get(ValueLayout.JAVA_LONG, offset) == untouched;
  }

  /** True when a range of whole words is untouched. */
  boolean isUntouched(long offset, int length) {
    for (int i = 0; i < length; i += Long.BYTES) {
      if (!isUntouched(offset + i)) {
        return false;
      }
    }
    return true;
  }
}
