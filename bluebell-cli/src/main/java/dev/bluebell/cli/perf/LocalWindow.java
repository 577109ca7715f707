package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;

/** Slots in memory of this process, which checks the messages that arrived there. */
final class LocalWindow extends Window {
  private final MemoryRegion region;

  private LocalWindow(MemoryRegion region, int slots, int size, int header) {
    super(slots, size, header, region.address(), region.rkey());
    this.region = region;
  }

  /** Allocates slots for the messages of a flow. */
  static LocalWindow allocate(ProtectionDomain domain, PerfPlan plan) {
    int header = plan.connection().headerBytes();
    long bytes = bytes(plan.slots(), plan.size(), header);
    MemoryRegion region = domain.allocate(bytes, Access.rights());
    return new LocalWindow(region, plan.slots(), plan.size(), header);
  }

  @Override
  void poison() {
    region.segment().fill(Payload.POISON);
  }

  @Override
  public boolean holds(Payload payload, int count, long first) {
    return holds(payload, 0, count, first);
  }

  /**
   * Whether messages arrived in their slots.
   *
   * @param start slot of the first; the slot after the last is slot 0
   * @param first sequence number of the first
   */
  boolean holds(Payload payload, int start, int count, long first) {
    int content = payload.content(first);
    boolean good = true;
    int slot = start;
    for (int i = 0; i < count; i++) {
      good &= isAt(payload, slot, content);
      content = payload.after(content);
      slot = slot + 1 == slots() ? 0 : slot + 1;
    }
    return good;
  }

  /** Whether a slot contains a message. */
  boolean isAt(Payload payload, int slot, int content) {
    return payload.isAt(region.segment(), offset(slot), content);
  }

  @Override
  void fill(Payload payload, long first) {
    int content = payload.content(first);
    for (int slot = 0; slot < slots(); slot++) {
      payload.copyTo(region.segment(), offset(slot), content);
      content = payload.after(content);
    }
  }

  MemoryRegion region() {
    return region;
  }
}
