package dev.bluebell.verbs.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;

/** Messages arrived that found no receive request (RNR). */
@Name("dev.bluebell.ReceiverNotReady")
@Label("Receiver Not Ready")
@Description(
    "Messages arrived at a queue pair of the device that had no receive request for them (RNR)")
@Period("1 s")
public final class ReceiverNotReadyEvent extends CounterEvent {
  public ReceiverNotReadyEvent(String device, String counter, long count, long total) {
    super(device, counter, count, total);
  }
}
