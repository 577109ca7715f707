package dev.bluebell.spark;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import org.apache.spark.SparkEnv;

/** Tasks that inspect the executor that runs them. */
final class Executors {
  private Executors() {}

  /** CPU time in nanoseconds and allocated bytes of this executor since it started. */
  static long[] costs() {
    return new long[] {
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes()
    };
  }

  /** Counters of this executor's shuffle. */
  static HashMap<String, Long> counters() {
    HashMap<String, Long> values = new HashMap<>();
    if (SparkEnv.get().shuffleManager() instanceof RdmaShuffleManager manager) {
      manager
          .counters()
          .metricRegistry()
          .getCounters()
          .forEach((name, counter) -> values.put(name, counter.getCount()));
    }
    return values;
  }
}
