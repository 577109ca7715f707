package dev.bluebell.cli.perf;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Round trips one after another, each timed: one message there and, if the peer answers, one back.
 */
final class TripTraffic implements Traffic {
  private final List<Traffic> ways;
  private final IntConsumer trip;
  private final IntConsumer settle;
  private final LongConsumer nanos;
  private int count;

  /**
   * Creates traffic of round trips.
   *
   * @param ways prepare and verify the trips of a round: the way there and, to measure one-way
   *     latency, the way back
   * @param trip makes one trip of the round; timed
   * @param settle takes completions for which a trip did not wait
   * @param nanos receives the time of each way
   */
  TripTraffic(List<Traffic> ways, IntConsumer trip, IntConsumer settle, LongConsumer nanos) {
    this.ways = ways;
    this.trip = trip;
    this.settle = settle;
    this.nanos = nanos;
  }

  /** Requests with a response of their own, timed from posting to completion. */
  static TripTraffic requests(Flow flow, FlowPoller poller, int slots, LongConsumer nanos) {
    return new TripTraffic(
        List.of(new FlowTraffic(List.of(flow), poller, slots)),
        i -> {
          flow.advance();
          poller.awaitCompleted(flow, i + 1);
        },
        i -> {},
        nanos);
  }

  /** Messages and their echoes. The next poll takes the completions of the requests. */
  static TripTraffic echoes(EchoTraffic echo, LongConsumer nanos) {
    return new TripTraffic(List.of(echo), i -> echo.runUntil(i + 1), i -> {}, nanos);
  }

  @Override
  public int window() {
    return ways.getFirst().window();
  }

  @Override
  public void prepare(int messages, long first) {
    count = messages;
    // The way there comes last because it wakes the device.
    for (int i = ways.size() - 1; i >= 0; i--) {
      ways.get(i).prepare(messages, first + i);
    }
  }

  @Override
  public void run() {
    int parts = ways.size();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      trip.accept(i);
      nanos.accept((System.nanoTime() - start) / parts);
      settle.accept(i);
    }
  }

  @Override
  public boolean verify() {
    return ways.stream().allMatch(Traffic::verify);
  }
}
