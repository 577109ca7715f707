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

  /**
   * Address of a byte for requests; the offset is not checked, because tests use invalid ones, too.
   */
  long address(long offset) {
    return region.address() + offset;
  }

  /** The memory from an offset on, for requests of a peer. */
  RemoteMemory remote(long offset) {
    return region.remote().slice(offset, region.length() - offset);
  }

  int lkey() {
    return region.lkey();
  }

  int rkey() {
    return region.rkey();
  }

  /** Fills the buffer with bytes derived from a seed. */
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

  /** Expects {@code bytes} at {@code offset} and no other change since {@code before}. */
  void expect(byte[] before, long offset, byte[] bytes) {
    byte[] expected = before.clone();
    System.arraycopy(bytes, 0, expected, Math.toIntExact(offset), bytes.length);
    assertThat(bytes()).isEqualTo(expected);
  }

  /** Bytes derived from a seed. */
  static byte[] pattern(long seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
