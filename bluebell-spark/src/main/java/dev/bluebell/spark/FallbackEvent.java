package dev.bluebell.spark;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Blocks are fetched by Spark's own transfer instead of RDMA. */
@Name("dev.bluebell.spark.Fallback")
@Label("Shuffle Fallback")
@Category({"Bluebell", "Spark"})
@Description("Blocks are fetched by Spark's own transfer, because RDMA can't be used or failed")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
final class FallbackEvent extends Event {
  @Label("Peer")
  private @Nullable String peer;

  @Label("Blocks")
  private int blocks;

  @Label("Reason")
  private @Nullable String reason;

  static void record(String from, int count, String why) {
    FallbackEvent event = new FallbackEvent();
    if (event.shouldCommit()) {
      event.peer = from;
      event.blocks = count;
      event.reason = why;
      event.commit();
    }
  }
}
