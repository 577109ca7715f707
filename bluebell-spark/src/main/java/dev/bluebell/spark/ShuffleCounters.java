package dev.bluebell.spark;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import org.apache.spark.metrics.source.Source;

/** Spark metrics of an executor, under the name {@code BluebellShuffle}. Thread-safe. */
final class ShuffleCounters implements Source {
  private final MetricRegistry registry = new MetricRegistry();
  private final Counter blocks = registry.counter("blocksByRdma");
  private final Counter bytes = registry.counter("bytesByRdma");
  private final Counter fallbacks = registry.counter("blocksByFallback");
  private final Counter registrations = registry.counter("registrations");
  private final Counter registeredBytes = registry.counter("registeredBytes");
  private final Counter connections = registry.counter("connections");

  void read(int length) {
    blocks.inc();
    bytes.inc(length);
  }

  void fellBack(int count) {
    fallbacks.inc(count);
  }

  void registered(long length) {
    registrations.inc();
    registeredBytes.inc(length);
  }

  void connected() {
    connections.inc();
  }

  void disconnected() {
    connections.dec();
  }

  @Override
  public String sourceName() {
    return "BluebellShuffle";
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }
}
