package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/** Registered memory between two guard areas. */
public final class RawMemory {
  private static final int CANARY_BYTES = 256;
  private static final byte CANARY = (byte) 0xa5;

  private final MemorySegment whole;
  private final MemorySegment segment;
  private final HcaMemory registration;

  RawMemory(Hca hca, HcaObject domain, int bytes, int access) {
    whole = Arena.ofAuto().allocate(bytes + 2L * CANARY_BYTES, 64).fill(CANARY);
    segment = whole.asSlice(CANARY_BYTES, bytes).fill((byte) 0);
    registration = hca.registerMemory(domain, segment, segment.address(), access);
  }

  public MemorySegment segment() {
    return segment;
  }

  public HcaMemory registration() {
    return registration;
  }

  public long address(long offset) {
    return segment.address() + offset;
  }

  public int key() {
    return registration.lkey();
  }

  public RawMemory fill(long seed) {
    byte[] bytes = new byte[(int) segment.byteSize()];
    new Random(seed).nextBytes(bytes);
    return put(0, bytes);
  }

  public RawMemory put(long offset, byte[] bytes) {
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, bytes.length);
    return this;
  }

  public byte[] bytes() {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  public byte[] bytes(long offset, int count) {
    return segment.asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE);
  }

  /** 8 bytes in the host's byte order. */
  public long getLong(long offset) {
    return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  public void putLong(long offset, long value) {
    segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  /** Expects that nothing was written outside the registered memory. */
  public void expectCanaries() {
    byte[] canary = new byte[CANARY_BYTES];
    Arrays.fill(canary, CANARY);
    assertThat(whole.asSlice(0, CANARY_BYTES).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(canary);
    assertThat(whole.asSlice(whole.byteSize() - CANARY_BYTES).toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(canary);
  }
}
