package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Messages found no receive (RNR). */
@Name("dev.bluebell.ReceiverNotReady")
@Label("Receiver Not Ready")
@Category("Bluebell")
@Description("Messages came to a queue pair of the device that had no receive for them (RNR)")
@Period("1 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class ReceiverNotReadyEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Counter")
  @Description("By the name that mlx5 has for it")
  private final String counter;

  @Label("Count")
  @Description("Since the event before, or since the device was opened")
  private final long count;

  @Label("Total")
  @Description("Since the device was opened, by all its programs")
  private final long total;

  private ReceiverNotReadyEvent(String device, String counter, long count, long total) {
    this.device = device;
    this.counter = counter;
    this.count = count;
    this.total = total;
  }

  /** Tells how often it happened. */
  public static void tell(String device, String counter, long count, long total) {
    new ReceiverNotReadyEvent(device, counter, count, total).commit();
  }
}
