package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The application opened a device. */
@Name("dev.bluebell.DeviceOpened")
@Label("Device Opened")
@Category("Bluebell")
@Description("A client opened an RDMA device")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class DeviceOpenedEvent extends Event {
  @Label("Device")
  private final String device;

  public DeviceOpenedEvent(String device) {
    this.device = device;
  }
}
