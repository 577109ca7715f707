package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;

/** Where the messages of a round arrive: a slot for each, so that none hides what another did. */
final class Window {
  private final MemoryRegion region;
  private final int slots;
  private final int stride;

  /**
   * Allocates slots.
   *
   * @param size bytes of a message
   */
  Window(ProtectionDomain domain, int slots, int size) {
    this.slots = slots;
    stride = -(-size & -Long.BYTES);
    region =
        domain.allocate(
            (long) slots * stride,
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC);
  }

  /** Fills all slots with what no message contains. */
  void poison() {
    region.segment().fill(Payload.POISON);
  }

  /**
   * Whether slots hold messages, each its own.
   *
   * @param count slots to look at, from the first
   * @param first sequence number of the first slot's message
   */
  boolean holds(Payload payload, int count, long first) {
    int content = payload.content(first);
    boolean good = true;
    for (int slot = 0; slot < count; slot++) {
      good &= payload.isAt(region.segment(), offset(slot), content);
      content = payload.after(content);
    }
    return good;
  }

  int slots() {
    return slots;
  }

  long offset(int slot) {
    return (long) slot * stride;
  }

  long address(int slot) {
    return region.address() + offset(slot);
  }

  int stride() {
    return stride;
  }

  MemoryRegion region() {
    return region;
  }
}
