package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The application closed a device. */
@Name("dev.bluebell.DeviceClosed")
@Label("Device Closed")
@Category("Bluebell")
@Description("A client closed an RDMA device")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class DeviceClosedEvent extends Event {
  @Label("Device")
  private final String device;

  public DeviceClosedEvent(String device) {
    this.device = device;
  }
}
