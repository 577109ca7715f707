package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The application moved a queue pair to another state. */
@Name("dev.bluebell.QueuePairState")
@Label("Queue Pair State")
@Category("Bluebell")
@Description(
    "A client moved a queue pair to another state; a queue pair that fails is moved to ERROR by the"
        + " device, and its failed completion reports that")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class QueuePairStateEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Queue Pair")
  @Description("Number of the queue pair")
  private final int queuePair;

  @Label("Before")
  private final String before;

  @Label("State")
  private final String state;

  public QueuePairStateEvent(String device, int queuePair, String before, String state) {
    this.device = device;
    this.queuePair = queuePair;
    this.before = before;
    this.state = state;
  }
}
