package dev.bluebell.cli.demo;

import dev.bluebell.verbs.CompletionQueue;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** A wait of the calling thread, with its processor time since the creation of this object. */
final class Sleep {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long begin = threads.getCurrentThreadCpuTime();
  private long spent;

  /** Sleeps until a queue has completions. */
  void until(CompletionQueue completions) throws InterruptedException {
    Check.that(completions.awaitCompletions(Place.PATIENCE), "no event came for " + completions);
    spent = threads.getCurrentThreadCpuTime() - begin;
  }

  /** Processor time of the thread up to its last wake-up. */
  @Override
  public String toString() {
    return "%.1f ms of CPU".formatted(spent / 1e6);
  }
}
