package dev.bluebell.cli.perf;

import dev.bluebell.verbs.MemoryRegion;
import java.util.function.LongFunction;

/** Where the messages of a round arrive: a slot for each, so that none hides what another did. */
final class Window implements Landing {
  private final MemoryRegion region;
  private final long base;
  private final int slots;
  private final int stride;
  private final int header;

  /**
   * Allocates slots.
   *
   * @param memory allocates so many bytes
   * @param size bytes of a message
   * @param header bytes in front of each, a multiple of 8
   */
  Window(LongFunction<MemoryRegion> memory, int slots, int size, int header) {
    this.slots = slots;
    this.header = header;
    stride = header - (-size & -Long.BYTES);
    region = memory.apply((long) slots * stride);
    base = region.address();
  }

  /** Fills all slots with what no message contains. */
  void poison() {
    region.segment().fill(Payload.POISON);
  }

  /** Whether slots hold messages, each its own, from the first. */
  @Override
  public boolean holds(Payload payload, int count, long first) {
    int content = payload.content(first);
    boolean good = true;
    for (int slot = 0; slot < count; slot++) {
      good &= isAt(payload, slot, content);
      content = payload.after(content);
    }
    return good;
  }

  /** Whether a slot holds a message. */
  boolean isAt(Payload payload, int slot, int content) {
    return payload.isAt(region.segment(), offset(slot), content);
  }

  /** Puts a message into every slot, by plain memory copies. */
  void fill(Payload payload, long first) {
    int content = payload.content(first);
    for (int slot = 0; slot < slots; slot++) {
      payload.copyTo(region.segment(), offset(slot), content);
      content = payload.after(content);
    }
  }

  int slots() {
    return slots;
  }

  /** Offset of the message of a slot. */
  long offset(int slot) {
    return (long) slot * stride + header;
  }

  /** Address of the message of a slot. */
  long address(int slot) {
    return base + offset(slot);
  }

  /** Bytes in front of the message of a slot. */
  int header() {
    return header;
  }

  MemoryRegion region() {
    return region;
  }
}
