package dev.bluebell.softnic.transport.connection;

import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.translation.ReorderedMemory;
import org.jspecify.annotations.Nullable;

/**
 * The order in which payload for one queue pair or DC target becomes visible: the order of the
 * requests, unless the device has a memory that reorders payload. Owned by the thread that runs the
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
   * Applies dp_ordering of a context.
   *
   * @param forced if false, a network with adaptive routing would decide; there is none
   * @param writes READs and WRITEs are placed out of order (1)
   * @param all messages are too (2)
   */
  public void configure(boolean forced, boolean writes, boolean all) {
    if (memory != null) {
      memory.placeOutOfOrder(number, forced && (writes || all), forced && all);
    }
  }

  /** Announces that the packet being delivered causes a completion, even before the last packet. */
  public void completes() {
    if (memory != null) {
      memory.completes();
    }
  }

  /** Makes all delivered payload visible, before the end of a queue pair or session is reported. */
  public void show() {
    if (memory != null) {
      memory.show(number);
    }
  }
}
