package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The contents of messages, as a function of their sequence number. All contents are in one region,
 * each a step after the previous one, so that the timed loop copies nothing.
 *
 * <p>Messages whose sequence numbers differ by less than the number of contents differ in every
 * 8-byte word, and no byte of a message equals the poison.
 */
final class Payload {
  /** Fills destinations before messages arrive. */
  static final byte POISON = (byte) 0xa5;

  /** Eight bytes of poison. */
  static final long POISON_WORD = 0xa5a5_a5a5_a5a5_a5a5L;

  private static final byte INSTEAD_OF_POISON = 0x5a;
  private static final int SHORT = 64;

  private final MemoryRegion region;
  private final long base;
  private final int rkey;
  private final int size;
  private final int contents;
  private final int step;

  /**
   * Makes contents.
   *
   * @param size bytes of a message
   * @param contents number of different contents
   */
  Payload(ProtectionDomain domain, int size, int contents) {
    this.size = size;
    this.contents = contents;
    step = size < SHORT ? Long.BYTES : SHORT;
    long bytes = (long) step * (contents - 1) + size;
    region = domain.allocate(-(-bytes & -Long.BYTES), Access.REMOTE_READ);
    base = region.address();
    rkey = region.rkey();
    fill(region.segment());
  }

  private Payload(Payload equal, RemoteMemory memory) {
    region = equal.region;
    size = equal.size;
    contents = equal.contents;
    step = equal.step;
    base = memory.address();
    rkey = memory.rkey();
  }

  /**
   * The same contents in the memory of another process, with its addresses and remote key.
   *
   * @throws IllegalArgumentException when the memory is too small for them
   */
  Payload of(RemoteMemory memory) {
    if (memory.length() < region.segment().byteSize()) {
      throw new IllegalArgumentException(
          "%d bytes are too few for %d contents".formatted(memory.length(), contents));
    }
    return new Payload(this, memory);
  }

  /** The contents as remote memory, for a peer to read. */
  RemoteMemory remote() {
    return region.remote();
  }

  private static void fill(MemorySegment memory) {
    for (long i = 0; i < memory.byteSize(); i += Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG, i, withoutPoison(mix(i + 1)));
    }
  }

  // splitmix64, whose outputs differ for different inputs.
  private static long mix(long value) {
    long z = value * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  private static long withoutPoison(long word) {
    long result = word;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      if ((byte) (word >>> shift) == POISON) {
        result ^= (long) ((POISON ^ INSTEAD_OF_POISON) & 0xff) << shift;
      }
    }
    return result;
  }

  /** Number of the content of a message. */
  int content(long sequence) {
    return (int) (sequence % contents);
  }

  /** Number of the content that follows another. */
  int after(int content) {
    return content + 1 == contents ? 0 : content + 1;
  }

  /** Address of a content. */
  long address(int content) {
    return base + offset(content);
  }

  /** Offset of a content in {@link #memory}. */
  long offset(int content) {
    return (long) content * step;
  }

  MemorySegment memory() {
    return region.segment();
  }

  int lkey() {
    return region.lkey();
  }

  int rkey() {
    return rkey;
  }

  /** Copies a message's bytes to an offset of a segment. */
  void copyTo(MemorySegment memory, long at, int content) {
    MemorySegment.copy(region.segment(), offset(content), memory, at, size);
  }

  /** Whether the message's bytes lie at an offset of a segment. */
  boolean isAt(MemorySegment memory, long at, int content) {
    long from = offset(content);
    return MemorySegment.mismatch(region.segment(), from, from + size, memory, at, at + size) < 0;
  }
}
