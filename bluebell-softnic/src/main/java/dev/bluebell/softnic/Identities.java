package dev.bluebell.softnic;

import dev.bluebell.softnic.option.LinkOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives each device a number of its own: those of one process count up from where the process's id
 * says, so that devices of several processes differ, too. Thread-safe.
 */
final class Identities {
  /** 2^32 divided by the golden ratio: ids that follow each other lie far apart. */
  private static final int SPREAD = 0x9e37_79b1;

  private static final int LOG_IDENTITIES = 24;
  private static final AtomicInteger NEXT =
      new AtomicInteger(
          (int) ProcessHandle.current().pid() * SPREAD >>> Integer.SIZE - LOG_IDENTITIES);

  private Identities() {}

  /**
   * The number that a device shall have, or one of its own, which follows from its address on the
   * network if it has one.
   */
  static int of(LinkOptions link) {
    if (link.identity() != 0) {
      return link.identity();
    }
    int number = link.listen() == null ? NEXT.getAndIncrement() : link.listen().hashCode();
    return 1 + Math.floorMod(number, LinkOptions.MAX_IDENTITY);
  }
}
