package dev.bluebell.verbs.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** Native memory that starts poisoned, so that a test sees what was written. */
final class TestMemory {
  static final byte POISON = (byte) 0xee;
  private final MemorySegment segment;

  TestMemory(int bytes) {
    segment = Arena.ofAuto().allocate(bytes, 4096).fill(POISON);
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

  byte byteAt(long offset) {
    return segment.get(ValueLayout.JAVA_BYTE, offset);
  }

  byte[] bytes() {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  void write(long offset, byte[] bytes) {
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, bytes.length);
  }

  String hex(long offset, int length) {
    return HexFormat.of().formatHex(bytes(offset, length));
  }
}
