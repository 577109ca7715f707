package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A completion queue failed, usually because it has overrun. */
@Name("dev.bluebell.CompletionQueueFailed")
@Label("Completion Queue Failed")
@Category("Bluebell")
@Description("A completion queue failed and delivers nothing more, usually because it has overrun")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class CompletionQueueFailedEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Completion Queue")
  @Description("Number of the completion queue")
  private final int completionQueue;

  @Label("Entries")
  private final int entries;

  @Label("Overrun")
  private final boolean overrun;

  @Label("Syndrome")
  @Description("As the device reported it")
  private final int syndrome;

  public CompletionQueueFailedEvent(
      String device, int completionQueue, int entries, boolean overrun, int syndrome) {
    this.device = device;
    this.completionQueue = completionQueue;
    this.entries = entries;
    this.overrun = overrun;
    this.syndrome = syndrome;
  }
}
