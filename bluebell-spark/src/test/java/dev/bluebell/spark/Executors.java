package dev.bluebell.spark;

import java.util.HashMap;
import org.apache.spark.SparkEnv;

/** Tasks that look at the executor that runs them. */
final class Executors {
  private Executors() {}

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
