package dev.bluebell.verbs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Only memory that cannot be freed while it is referenced may be registered. */
class MemoryOwnershipTest {
  private static final int BYTES = 64;

  @Test
  void memoryOfAutomaticAndGlobalArenasIsUnfreeable() {
    assertThat(MemoryOwnership.isUnfreeable(Arena.ofAuto().allocate(BYTES))).isTrue();
    assertThat(MemoryOwnership.isUnfreeable(Arena.global().allocate(BYTES))).isTrue();
  }

  @Test
  void memoryOfADirectBufferIsUnfreeable() {
    MemorySegment memory = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(BYTES));
    assertThat(MemoryOwnership.isUnfreeable(memory)).isTrue();
  }

  @Test
  void memoryOfCloseableArenasIsFreeable() {
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      assertThat(MemoryOwnership.isUnfreeable(confined.allocate(BYTES))).isFalse();
      assertThat(MemoryOwnership.isUnfreeable(shared.allocate(BYTES))).isFalse();
    }
  }

  @Test
  void aBufferOverMemoryOfACloseableArenaIsFreeable() {
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer buffer = arena.allocate(BYTES).asByteBuffer();
      assertThat(MemoryOwnership.isUnfreeable(MemorySegment.ofBuffer(buffer))).isFalse();
    }
  }
}
