package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory in which the requests of a send queue are built: the ring itself, or memory from which
 * they are copied into the ring when the doorbell rings.
 *
 * <p>A software device reads the ring on another processor, so each line of the ring must come back
 * from that processor's cache before it can be written again. A processor fetches the lines of the
 * stores that wait in its store buffer. Building a request takes a dozen stores, but a copy takes
 * one or two for a line, so a copy of many requests fetches many more lines at once.
 */
final class RequestMemory {
  private static final int BLOCK = ControlSegment.WQEBB_BYTES;
  private static final int INDEX_MASK = 0xffff;

  /** Keeps the memory reachable. */
  private final MemorySegment memory;

  private final long address;
  private final long ring;
  private final int byteMask;

  RequestMemory(SendRingLayout layout) {
    ring = layout.address();
    long bytes = (long) BLOCK << layout.logWqebbs();
    byteMask = (int) bytes - 1;
    memory =
        layout.staged() ? Arena.ofAuto().allocate(bytes, BLOCK) : MemorySegment.ofAddress(ring);
    address = memory.address();
  }

  /** Address of the first WQEBB. */
  long address() {
    return address;
  }

  /**
   * Copies all requests from one index to another into the ring, if they are not there yet. 16 bits
   * of an index count.
   */
  void publish(int first, int end) {
    if (address == ring) {
      return;
    }
    int from = first * BLOCK & byteMask;
    // Without checks, indices may be wrong, but no byte outside of the ring is written.
    int bytes = Math.min((end - first & INDEX_MASK) * BLOCK, byteMask + 1);
    if (bytes == BLOCK) {
      copyBlock(address + from & Memory.ADDRESS_BITS, ring + from & Memory.ADDRESS_BITS);
      return;
    }
    int head = Math.min(bytes, byteMask + 1 - from);
    Memory.copy(address + from, ring + from, head);
    if (head < bytes) {
      Memory.copy(address, ring, bytes - head);
    }
  }

  /**
   * Copies words: a processor can load a word that is still in its store buffer, but not a line.
   */
  private static void copyBlock(long source, long target) {
    for (int i = 0; i < BLOCK; i += Long.BYTES) {
      Memory.putNativeLong(target + i, Memory.getNativeLong(source + i));
    }
  }
}
