package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The rate at which completions are polled from a completion queue. */
@Name("dev.bluebell.CompletionQueueRate")
@Label("Completion Queue Rate")
@Category("Bluebell")
@Description("Completions polled from a completion queue since the previous event")
@Period("1 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class CompletionQueueRateEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Completion Queue")
  @Description("Number of the completion queue")
  private final int completionQueue;

  @Label("Polled")
  private final long completions;

  @Label("Polled per Second")
  private final double completionsPerSecond;

  public CompletionQueueRateEvent(
      String device, int completionQueue, long completions, double completionsPerSecond) {
    this.device = device;
    this.completionQueue = completionQueue;
    this.completions = completions;
    this.completionsPerSecond = completionsPerSecond;
  }
}
