package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/**
 * A counter of a device has risen. The recorder reads the fields of a superclass unless they are
 * private.
 */
@Category("Bluebell")
@StackTrace(false)
public abstract class CounterEvent extends Event {
  @Label("Device")
  final String device;

  @Label("Counter")
  @Description("Name of the counter in mlx5")
  final String counter;

  @Label("Count")
  @Description(
      "Since the previous event, or since this process opened the device or began to record")
  final long count;

  @Label("Total")
  @Description("Of all clients, since the device process started or the card's driver was loaded")
  final long total;

  CounterEvent(String device, String counter, long count, long total) {
    this.device = device;
    this.counter = counter;
    this.count = count;
    this.total = total;
  }
}
