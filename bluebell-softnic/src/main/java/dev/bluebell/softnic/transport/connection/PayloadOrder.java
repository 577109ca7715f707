package dev.bluebell.softnic.transport.connection;

import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.translation.ReorderedMemory;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the payload for one queue pair or DC target becomes visible: that of the
 * requests, unless the device has a memory that reorders it. Owned by the thread that runs the
 * engine.
 */
public final class PayloadOrder {
  private final @Nullable ReorderedMemory memory;
  private final int number;

  public PayloadOrder(Chip chip, int number) {
    memory = chip.keys().reordered();
    this.number = number;
  }

  /**
   * Takes dp_ordering of a context.
   *
   * @param forced without which a network with adaptive routing decides; there is none
   * @param writes READs and WRITEs are placed out of order (1)
   * @param all messages, too (2)
   */
  public void configure(boolean forced, boolean writes, boolean all) {
    if (memory != null) {
      memory.placeOutOfOrder(number, forced && (writes || all), forced && all);
    }
  }

  /** A completion follows from the packet that is being delivered, before its last. */
  public void completes() {
    if (memory != null) {
      memory.completes();
    }
  }

  /** All that was delivered becomes visible: an end is told of. */
  public void show() {
    if (memory != null) {
      memory.show(number);
    }
  }
}
