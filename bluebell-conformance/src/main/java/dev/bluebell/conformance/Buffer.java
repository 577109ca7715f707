package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/**
 * Registered memory that knows how to fill and compare itself.
 *
 * @param region the memory
 */
record Buffer(MemoryRegion region) {

  /** Address of a byte, by which requests name it; offsets outside are the test's business. */
  long address(long offset) {
    return region.address() + offset;
  }

  /** The memory from an offset on, as requests of a peer name it. */
  RemoteMemory remote(long offset) {
    return region.remote().slice(offset, region.length() - offset);
  }

  int lkey() {
    return region.lkey();
  }

  int rkey() {
    return region.rkey();
  }

  /** Fills everything with bytes that a seed determines. */
  Buffer fill(long seed) {
    return put(0, pattern(seed, Math.toIntExact(region.length())));
  }

  Buffer put(long offset, byte[] bytes) {
    MemorySegment.copy(bytes, 0, region.segment(), ValueLayout.JAVA_BYTE, offset, bytes.length);
    return this;
  }

  byte[] bytes(long offset, int count) {
    return region.segment().asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE);
  }

  byte[] bytes() {
    return bytes(0, Math.toIntExact(region.length()));
  }

  /** 8 bytes in the host's byte order. */
  long getLong(long offset) {
    return region.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  /** 8 bytes in the host's byte order. */
  void putLong(long offset, long value) {
    region.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  /** Expects that {@code bytes} are at {@code offset} and that all else is as it was before. */
  void expect(byte[] before, long offset, byte[] bytes) {
    byte[] expected = before.clone();
    System.arraycopy(bytes, 0, expected, Math.toIntExact(offset), bytes.length);
    assertThat(bytes()).isEqualTo(expected);
  }

  /** Bytes that a seed determines. */
  static byte[] pattern(long seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
