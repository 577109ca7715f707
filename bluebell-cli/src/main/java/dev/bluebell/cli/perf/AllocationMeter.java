package dev.bluebell.cli.perf;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts what all threads together have allocated on the Java heap: the application's, the
 * engine's, the JVM's.
 */
final class AllocationMeter {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes since the JVM started. */
  long bytes() {
    return threads.getTotalThreadAllocatedBytes();
  }
}
