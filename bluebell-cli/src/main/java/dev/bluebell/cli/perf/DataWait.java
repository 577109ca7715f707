package dev.bluebell.cli.perf;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Device;

/** Waits for messages by polling the memory that they are written to. */
final class DataWait {
  private final Device device;
  private final Stall stall;

  /**
   * @param stall called after each poll that finds nothing
   */
  DataWait(Device device, Stall stall) {
    this.device = device;
    this.stall = stall;
  }

  /** Waits until the last word of a slot is no longer poison. */
  void await(LocalWindow window, int slot) {
    long lastWord = window.address(slot + 1) - Long.BYTES;
    stall.restart();
    while (Memory.getLongAcquire(lastWord) == Payload.POISON_WORD) {
      stall.note(device.progress());
    }
  }
}
