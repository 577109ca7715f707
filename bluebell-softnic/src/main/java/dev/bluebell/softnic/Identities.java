package dev.bluebell.softnic;

import dev.bluebell.softnic.option.LinkOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives each device a number of its own. Numbers of one process count up from a start that depends
 * on its process id, so devices of different processes differ, too. Thread-safe.
 */
final class Identities {
  /** 2^32 divided by the golden ratio: consecutive ids are spread far apart. */
  private static final int SPREAD = 0x9e37_79b1;

  private static final int LOG_IDENTITIES = 24;
  private static final AtomicInteger NEXT =
      new AtomicInteger(
          (int) ProcessHandle.current().pid() * SPREAD >>> Integer.SIZE - LOG_IDENTITIES);

  private Identities() {}

  /**
   * The number that the options give the device, or one derived from its network address, or else
   * the next one in sequence.
   */
  static int of(LinkOptions link) {
    if (link.identity() != 0) {
      return link.identity();
    }
    int number = link.listen() == null ? NEXT.getAndIncrement() : link.listen().hashCode();
    return 1 + Math.floorMod(number, LinkOptions.MAX_IDENTITY);
  }
}
