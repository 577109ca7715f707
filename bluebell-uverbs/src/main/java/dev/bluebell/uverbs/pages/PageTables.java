package dev.bluebell.uverbs.pages;

import java.util.HashMap;
import java.util.Map;

/**
 * Gives each process one table of the pages that it shares, however many device files it has open.
 * Thread-safe.
 */
public final class PageTables {
  private final Map<Object, Shared> tables = new HashMap<>();

  private static final class Shared {
    final SharedRanges.Table table = new SharedRanges.Table();
    int files;
  }

  /**
   * The table for one more device file of a process, until {@link #leave}.
   *
   * @param process what tells it from others, see {@link
   *     dev.bluebell.server.WatchedProcess#identity}
   */
  public synchronized SharedRanges.Table join(Object process) {
    Shared shared = tables.computeIfAbsent(process, opened -> new Shared());
    shared.files++;
    return shared.table;
  }

  /** Takes note that a device file which {@link #join joined} is closed, and shares nothing. */
  public synchronized void leave(Object process) {
    Shared shared = tables.get(process);
    if (shared != null && --shared.files == 0) {
      tables.remove(process);
    }
  }
}
