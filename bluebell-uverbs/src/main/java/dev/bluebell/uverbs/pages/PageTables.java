package dev.bluebell.uverbs.pages;

import java.util.HashMap;
import java.util.Map;

/**
 * One table of shared pages for each process, however many device files it has open. Thread-safe.
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
   * @param process its identity, see {@link dev.bluebell.server.WatchedProcess#identity}
   */
  public synchronized SharedRanges.Table join(Object process) {
    Shared shared = tables.computeIfAbsent(process, opened -> new Shared());
    shared.files++;
    return shared.table;
  }

  /** Ends a device file that {@link #join joined}, after it is closed and shares nothing. */
  public synchronized void leave(Object process) {
    Shared shared = tables.get(process);
    if (shared != null && --shared.files == 0) {
      tables.remove(process);
    }
  }
}
