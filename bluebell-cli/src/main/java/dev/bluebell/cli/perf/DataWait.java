package dev.bluebell.cli.perf;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Device;

/** Waits for messages by looking at the memory that they are written to. */
final class DataWait {
  private final Device device;
  private final Stall stall;

  /**
   * @param stall what to do while nothing is there
   */
  DataWait(Device device, Stall stall) {
    this.device = device;
    this.stall = stall;
  }

  /** Looks until a slot, which held poison, has changed. */
  void await(LocalWindow window, int slot) {
    long lastWord = window.address(slot + 1) - Long.BYTES;
    stall.restart();
    while (Memory.getLongAcquire(lastWord) == Payload.POISON_WORD) {
      stall.note(device.progress());
    }
  }
}
