package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;

/** The completion queue and the memory of one end of a connection. */
class Place {
  /** How long a device may take for anything that a scene or a step waits for. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CompletionQueue completions;
  private final MemoryRegion memory;

  Place(CompletionQueue completions, MemoryRegion memory) {
    this.completions = completions;
    this.memory = memory;
  }

  final CompletionQueue completions() {
    return completions;
  }

  final MemoryRegion region() {
    return memory;
  }

  final MemorySegment segment() {
    return memory.segment();
  }

  final long address(long offset) {
    return memory.address() + offset;
  }

  /** The memory from an offset on, as remote memory for a peer. */
  final RemoteMemory remote(long offset) {
    return memory.remote().slice(offset, memory.length() - offset);
  }

  final int lkey() {
    return memory.lkey();
  }

  final int rkey() {
    return memory.rkey();
  }

  /**
   * Waits for the next completion, which must be a success.
   *
   * @return a view that is valid until the next poll
   */
  final Completion await() {
    Completion completion = awaitAny();
    WorkFailed.unlessSuccess(completion);
    return completion;
  }

  /**
   * Waits for the next completion, success or failure.
   *
   * @return a view that is valid until the next poll
   */
  final Completion awaitAny() {
    long start = System.nanoTime();
    while (true) {
      Completion completion = completions.poll();
      if (completion != null) {
        return completion;
      }
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new WorkFailed(
            "nothing completed on %s for %d s".formatted(completions, PATIENCE.toSeconds()));
      }
      Thread.onSpinWait();
    }
  }

  /** Fills a range with random bytes from a seed. */
  final void fill(long offset, int length, int seed) {
    MemorySegment.copy(pattern(seed, length), 0, segment(), ValueLayout.JAVA_BYTE, offset, length);
  }

  /** Checks that a range holds the bytes of {@link #fill} with this seed. */
  final void expect(long offset, int length, int seed) {
    requireEqual(MemorySegment.ofArray(pattern(seed, length)), offset, length);
  }

  /** True when a range holds the bytes of {@link #fill} with this seed. */
  final boolean holds(long offset, int length, int seed) {
    MemorySegment expected = MemorySegment.ofArray(pattern(seed, length));
    return MemorySegment.mismatch(expected, 0, length, segment(), offset, offset + length) < 0;
  }

  /** Checks that a range holds zeros: that nothing was written to it. */
  final void expectUntouched(long offset, int length) {
    requireEqual(MemorySegment.ofArray(new byte[length]), offset, length);
  }

  private void requireEqual(MemorySegment expected, long offset, int length) {
    long at = MemorySegment.mismatch(expected, 0, length, segment(), offset, offset + length);
    if (at >= 0) {
      throw new WorkFailed(
          "byte %d of %d is 0x%02x instead of 0x%02x"
              .formatted(
                  at,
                  length,
                  segment().get(ValueLayout.JAVA_BYTE, offset + at),
                  expected.get(ValueLayout.JAVA_BYTE, at)));
    }
  }

  private static byte[] pattern(int seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}
