package dev.bluebell.spark;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Blocks of one executor were read by RDMA. */
@Name("dev.bluebell.spark.Fetch")
@Label("Shuffle Fetch")
@Category({"Bluebell", "Spark"})
@Description("Blocks were read by RDMA, from the request for their addresses to the last byte")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
final class FetchEvent extends Event {
  @Label("Peer")
  private @Nullable String peer;

  @Label("Blocks")
  private int blocks;

  @Label("Bytes")
  @DataAmount
  private long bytes;

  void end(String from, int count, long length) {
    end();
    if (shouldCommit()) {
      peer = from;
      blocks = count;
      bytes = length;
      commit();
    }
  }
}
