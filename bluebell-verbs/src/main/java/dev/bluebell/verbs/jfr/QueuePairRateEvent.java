package dev.bluebell.verbs.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The rate at which a queue pair rings send requests. */
@Name("dev.bluebell.QueuePairRate")
@Label("Queue Pair Rate")
@Category("Bluebell")
@Description("WQEBBs posted to the send queue of a queue pair since the previous event")
@Period("1 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The recorder reads its fields.
public final class QueuePairRateEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Queue Pair")
  @Description("Number of the queue pair")
  private final int queuePair;

  @Label("Posted")
  @Description("WQEBBs whose doorbell was rung; a small request takes one")
  private final long blocks;

  @Label("Posted per Second")
  private final double blocksPerSecond;

  @Label("Outstanding")
  @Description("WQEBBs whose doorbell was rung and whose completion was not polled yet")
  private final int outstanding;

  public QueuePairRateEvent(
      String device, int queuePair, long blocks, double blocksPerSecond, int outstanding) {
    this.device = device;
    this.queuePair = queuePair;
    this.blocks = blocks;
    this.blocksPerSecond = blocksPerSecond;
    this.outstanding = outstanding;
  }
}
