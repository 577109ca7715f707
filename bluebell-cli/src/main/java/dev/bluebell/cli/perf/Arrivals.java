package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.util.List;

/**
 * What arrives in this process of the messages that another sends: a window for each flow, and
 * receives where messages take some. All receives of a round are posted before it.
 */
final class Arrivals {
  private static final int POLL = 64;

  private final LocalWindow[] windows;
  private final Receives[] receives;
  private final Payload payload;
  private final CompletionQueue completions;
  private final DataWait data;
  private final Stall stall;
  private final CompletionHandler handler = this::received;
  private int messages;
  private long first;

  /**
   * @param windows of the flows, by their numbers
   * @param receives as many, or none
   * @param data waits for messages without receives
   * @param stall what to do while nothing arrives
   */
  Arrivals(
      List<LocalWindow> windows,
      List<Receives> receives,
      Payload payload,
      CompletionQueue completions,
      DataWait data,
      Stall stall) {
    this.windows = windows.toArray(LocalWindow[]::new);
    this.receives = receives.toArray(Receives[]::new);
    this.payload = payload;
    this.completions = completions;
    this.data = data;
    this.stall = stall;
  }

  /**
   * Prepares a round.
   *
   * @param count messages of all flows together
   * @param firstSequence sequence number of the first flow's first
   */
  void prepare(int count, long firstSequence) {
    messages = count;
    first = firstSequence;
    for (int i = 0; i < windows.length; i++) {
      windows[i].poison();
    }
    for (int i = 0; i < receives.length; i++) {
      receives[i].prepare(share(i), first + i);
    }
  }

  private int share(int flow) {
    return FlowTraffic.share(messages, windows.length, flow);
  }

  /** Waits until all messages of the round that take receives have arrived. */
  void awaitAll() {
    stall.restart();
    for (Receives each : receives) {
      while (!each.isDone()) {
        stall.note(completions.poll(handler, POLL));
      }
    }
  }

  /** Waits for a message of the first flow. */
  void await(int index) {
    if (receives.length == 0) {
      data.await(windows[0], index);
      return;
    }
    stall.restart();
    while (receives[0].received() <= index) {
      stall.note(completions.poll(handler, POLL));
    }
  }

  private void received(Completion completion) {
    if (!completion.isSuccess()) {
      throw Traffic.failed(completion);
    }
    receives[Flow.number(completion.id())].received(completion);
  }

  /** Whether the round's messages arrived as they were sent. */
  boolean verify() {
    boolean good = true;
    for (Receives each : receives) {
      good &= each.isDone() && each.isGood();
    }
    for (int i = 0; i < windows.length; i++) {
      good &= windows[i].holds(payload, share(i), first + i);
    }
    return good;
  }
}
