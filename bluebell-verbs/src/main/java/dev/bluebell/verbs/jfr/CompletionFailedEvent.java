package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The application polled a failed completion. */
@Name("dev.bluebell.CompletionFailed")
@Label("Completion Failed")
@Category("Bluebell")
@Description("A client polled an error completion from a completion queue")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class CompletionFailedEvent extends Event {
  @Label("Device")
  private String device = "";

  @Label("Completion Queue")
  @Description("Number of the completion queue")
  private int completionQueue;

  @Label("Queue Pair")
  @Description("Number of the queue pair")
  private int queuePair;

  @Label("Request")
  @Description("The id that the client gave the request")
  private long id;

  @Label("Operation")
  private String opcode = "";

  @Label("Status")
  private String status = "";

  @Label("Syndrome")
  @Description("0 if the driver detected the failure")
  private int syndrome;

  @Label("Vendor Syndrome")
  private int vendorSyndrome;

  @Label("Explanation")
  @Description("Why the request failed, in one sentence")
  private String explanation = "";

  private CompletionFailedEvent() {}

  /**
   * True when a recording has this event enabled; only then compute the arguments of {@link #tell}.
   */
  public static boolean isRecorded() {
    return new CompletionFailedEvent().isEnabled();
  }

  /** Emits the event. */
  public static void tell(
      String device,
      int completionQueue,
      int queuePair,
      long id,
      String opcode,
      String status,
      int syndrome,
      int vendorSyndrome,
      String explanation) {
    CompletionFailedEvent event = new CompletionFailedEvent();
    event.device = device;
    event.completionQueue = completionQueue;
    event.queuePair = queuePair;
    event.id = id;
    event.opcode = opcode;
    event.status = status;
    event.syndrome = syndrome;
    event.vendorSyndrome = vendorSyndrome;
    event.explanation = explanation;
    event.commit();
  }
}
