package dev.bluebell.verbs.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;

/** Packets were lost and retransmitted. */
@Name("dev.bluebell.Retransmission")
@Label("Retransmission")
@Description("Packets were lost or arrived out of order, so requests were sent again")
@Period("1 s")
public final class RetransmissionEvent extends CounterEvent {
  public RetransmissionEvent(String device, String counter, long count, long total) {
    super(device, counter, count, total);
  }
}
