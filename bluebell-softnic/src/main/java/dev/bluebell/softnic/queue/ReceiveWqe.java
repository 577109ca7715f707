package dev.bluebell.softnic.queue;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The receive WQE that a message is being delivered to: the device's snapshot of its scatter list.
 */
public final class ReceiveWqe {
  /** Largest stride that a receive queue can have. */
  public static final int MAX_BYTES = 2048;

  private static final long TERMINATOR = DataSegment.first(0, DataSegment.INVALID_LKEY);

  private MemorySegment memory = Arena.ofAuto().allocate(64, 16);
  private long segments = memory.address();
  private long end = segments;
  private int index;
  private long capacity;
  private long sum;

  /**
   * Takes a snapshot of the list at {@code address}, up to its terminator or {@code bytes} long.
   */
  void fetch(long address, int bytes, int wqeIndex) {
    if (bytes > memory.byteSize()) {
      memory = Arena.ofAuto().allocate(bytes, 16);
      segments = memory.address();
    }
    index = wqeIndex;
    capacity = 0;
    sum = 0;
    long to = segments;
    for (int i = 0; i < bytes; i += DataSegment.BYTES) {
      long first = Memory.getLong(address + i);
      long at = Memory.getLong(address + i + 8);
      if (first == TERMINATOR && at == 0) {
        break;
      }
      sum ^= first ^ at;
      // Bit 31 of a byte count marks inline data in send WQEs and means nothing here; it is cleared
      // so that the list is read as pointers.
      first &= Long.MAX_VALUE;
      Memory.putLong(to, first);
      Memory.putLong(to + 8, at);
      capacity += DataSegment.length(first);
      to += DataSegment.BYTES;
    }
    end = to;
  }

  /** XOR of the data segments as they were read, for the signature. */
  long sum() {
    return sum;
  }

  /** The data segments, without the terminator. */
  public byte[] copy() {
    return memory.asSlice(0, end - segments).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Address of the first data segment. */
  public long segments() {
    return segments;
  }

  /** Address after the last data segment. */
  public long end() {
    return end;
  }

  /**
   * The index of the WQE in its completion: the counter of a ring, or the slot of a linked list; 16
   * bits.
   */
  public int index() {
    return index;
  }

  /** Bytes that the scatter list holds. */
  public long capacity() {
    return capacity;
  }
}
