package dev.bluebell.spark;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A map output file was mapped and registered. */
@Name("dev.bluebell.spark.Registration")
@Label("Shuffle File Registration")
@Category({"Bluebell", "Spark"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
final class RegistrationEvent extends Event {
  @Label("File")
  private @Nullable String file;

  @Label("Bytes")
  @DataAmount
  private long bytes;

  void end(String path, long length) {
    end();
    if (shouldCommit()) {
      file = path;
      bytes = length;
      commit();
    }
  }
}
