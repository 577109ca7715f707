package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/** One registered region of a domain, cut into places, with its expected bytes. */
final class Territory {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** Bytes between two places, which detect writes beyond a place. */
  private static final int GAP = 64;

  private final ProtectionDomain domain;
  private final MemoryRegion region;
  private final MemorySegment memory;
  private final MemoryRegion counter;
  private final byte[] model;
  private final MemorySegment modelSegment;
  private int used;

  /**
   * @param counter to which flows of all territories add
   */
  Territory(ProtectionDomain domain, int bytes, SharedCounter counter, SplittableRandom random) {
    this.domain = domain;
    this.counter = counter.in(domain);
    region = domain.allocate(bytes, Access.rights());
    memory = region.segment();
    model = new byte[bytes];
    modelSegment = MemorySegment.ofArray(model);
    random.nextBytes(model);
    MemorySegment.copy(modelSegment, 0, memory, 0, bytes);
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** The shared counter's region in this domain. */
  MemoryRegion counter() {
    return counter;
  }

  /** Allocates a place at a multiple of 64; returns its offset. */
  int take(int bytes) {
    int at = used;
    used += (bytes + GAP - 1 & -GAP) + GAP;
    if (used > model.length) {
      throw new IllegalStateException("a territory of %d bytes is full".formatted(model.length));
    }
    return at;
  }

  long address(int at) {
    return region.address() + at;
  }

  int lkey() {
    return region.lkey();
  }

  int rkey() {
    return region.rkey();
  }

  MemorySegment memory() {
    return memory;
  }

  byte[] model() {
    return model;
  }

  /** A copy of bytes of the model. */
  byte[] expected(int at, int bytes) {
    return Arrays.copyOfRange(model, at, at + bytes);
  }

  /** Changes the model as the device is to change memory. */
  void expect(int at, byte[] bytes) {
    expectCopy(bytes, 0, at, bytes.length);
  }

  /** Changes the model as the device is to change memory. */
  void expectCopy(byte[] from, int fromAt, int at, int bytes) {
    System.arraycopy(from, fromAt, model, at, bytes);
  }

  /** Writes 8 bytes as the program itself does: to memory, and so to the model. */
  void write(int at, long value) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
    LONGS.set(model, at, value);
  }

  /** Writes bytes as the program itself does: to memory, and so to the model. */
  void write(int at, byte[] from, int bytes) {
    MemorySegment.copy(from, 0, memory, ValueLayout.JAVA_BYTE, at, bytes);
    System.arraycopy(from, 0, model, at, bytes);
  }

  /** 8 bytes of an array in the host's byte order. */
  static void putLong(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  long read(int at) {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  /** Copies memory into the model, where several contents are valid. */
  void accept(int at, int bytes) {
    MemorySegment.copy(memory, at, modelSegment, at, bytes);
  }

  /** Index of the first byte that differs from an array; −1 when there is none. */
  int mismatch(int at, byte[] expected, int expectedAt, int bytes) {
    return (int)
        MemorySegment.mismatch(
            memory,
            at,
            at + bytes,
            MemorySegment.ofArray(expected),
            expectedAt,
            expectedAt + bytes);
  }

  /** True when memory equals the model. */
  boolean isAsExpected(int at, int bytes) {
    return MemorySegment.mismatch(memory, at, at + bytes, modelSegment, at, at + bytes) < 0;
  }

  /** Expects that every byte equals the model, also between places. */
  void compare() {
    long at = memory.mismatch(modelSegment);
    if (at >= 0) {
      throw new AssertionError(
          "byte %d of %s is 0x%02x instead of 0x%02x"
              .formatted(at, this, memory.get(ValueLayout.JAVA_BYTE, at), model[(int) at]));
    }
  }

  @Override
  public String toString() {
    return region.toString();
  }
}
