package dev.bluebell.verbs.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Distinguishes memory that its owner can free at any time from memory that stays as long as a
 * reference to it exists.
 *
 * <p>The API has no query for this, but each kind of arena has scopes of a class of its own: scopes
 * of automatic and global arenas, and of direct buffers, are recognized by comparison with one of
 * each. If a future JDK gave closeable arenas the same class, that kind would be refused.
 */
public final class MemoryOwnership {
  private static final Class<?> GLOBAL = Arena.global().scope().getClass();
  private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
  private static final Class<?> DIRECT_BUFFER =
      MemorySegment.ofBuffer(ByteBuffer.allocateDirect(1)).scope().getClass();
  private static final Class<?> SHARED = sharedScope();
  private static final Class<?> CONFINED = confinedScope();

  private MemoryOwnership() {}

  /** True when the memory cannot be freed while a reference to the segment exists. */
  public static boolean isUnfreeable(MemorySegment segment) {
    Class<?> scope = segment.scope().getClass();
    boolean known = scope == GLOBAL || scope == AUTOMATIC || scope == DIRECT_BUFFER;
    return known && scope != SHARED && scope != CONFINED;
  }

  private static Class<?> sharedScope() {
    try (Arena arena = Arena.ofShared()) {
      return arena.scope().getClass();
    }
  }

  private static Class<?> confinedScope() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.scope().getClass();
    }
  }
}
