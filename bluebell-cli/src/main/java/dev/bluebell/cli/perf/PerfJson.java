package dev.bluebell.cli.perf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;

/** Results as JSON, one object per line. */
final class PerfJson implements PerfReport {
  private final JsonLines lines;
  private String device = "";

  PerfJson(JsonLines lines) {
    this.lines = lines;
  }

  @Override
  public void begin(PerfPlan plan, String deviceName) {
    device = deviceName;
  }

  @Override
  public void add(PerfResult result) {
    PerfPlan plan = result.plan();
    ObjectNode object = JsonLines.object();
    object.put("operation", plan.operation().toString());
    object.put("connection", plan.connection().name());
    object.put("device", device);
    object.put("size", plan.size());
    object.put("iterations", result.messages());
    object.put("queueDepth", plan.depth());
    object.put("signalEvery", plan.signalEvery());
    object.put("sharedReceives", plan.sharedReceives());
    object.put("compression", plan.compression().toString());
    object.put("inline", plan.inline());
    object.put("bidirectional", plan.bidirectional());
    object.put("queuePairs", plan.queuePairs());
    object.put("activeQueuePairs", plan.active());
    object.put("messagesPerSecond", Math.round(result.messagesPerSecond()));
    object.put("bytesPerSecond", Math.round(result.bytesPerSecond()));
    object.put("copyBytesPerSecond", Math.round(result.copyBytesPerSecond()));
    Latency latency = result.latency();
    if (latency == null) {
      object.putNull("latencyNanos");
    } else {
      object
          .putObject("latencyNanos")
          .put("min", latency.min())
          .put("average", Math.round(latency.average()))
          .put("deviation", Math.round(latency.deviation()))
          .put("p50", latency.p50())
          .put("p99", latency.p99())
          .put("p999", latency.p999())
          .put("max", latency.max());
    }
    object.put("cacheLineRoundTripNanos", result.handOffNanos());
    object.put("dataVerified", result.isVerified());
    object.put("interrupted", result.interrupted());
    object.put("allocatedBytesPerOperation", rounded(result.allocatedPerOperation()));
    object.put("fabric", result.fabric());
    lines.write(object);
  }

  /** Rounds to thousandths: occasional allocations of the JVM itself are below that. */
  private static double rounded(double bytes) {
    return Math.round(bytes * 1000) / 1000.0;
  }

  @Override
  public void end() {
    // Nothing to end: each line is complete.
  }
}
