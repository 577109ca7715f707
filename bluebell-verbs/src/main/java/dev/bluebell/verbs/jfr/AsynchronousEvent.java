package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The application took an asynchronous event. */
@Name("dev.bluebell.Asynchronous")
@Label("Asynchronous Event")
@Category("Bluebell")
@Description("A client read an asynchronous event of a device")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class AsynchronousEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Type")
  private final String type;

  @Label("Object")
  @Description("Number of the object that the event concerns")
  private final int number;

  public AsynchronousEvent(String device, String type, int number) {
    this.device = device;
    this.type = type;
    this.number = number;
  }
}
