package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Polls for flows and tells each what completed. */
final class FlowPoller {
  private static final int POLL = 64;

  private final Flow[] flows;
  private final @Nullable Receivers receivers;
  private final boolean receiving;
  private final CompletionQueue requests;
  private final CompletionQueue receives;
  private final CompletionHandler requestHandler = this::requestCompleted;
  private final CompletionHandler receiveHandler = this::received;
  private final Stall stall = new Stall();

  /**
   * Polls two completion queues.
   *
   * @param flows by their numbers
   * @param receiving whether the flows have receives
   * @param receivers finds flows where the id of a receive does not name them; else null
   */
  FlowPoller(
      List<Flow> flows,
      boolean receiving,
      @Nullable Receivers receivers,
      CompletionQueue requests,
      CompletionQueue receives) {
    this.flows = flows.toArray(Flow[]::new);
    this.receiving = receiving;
    this.receivers = receivers;
    this.requests = requests;
    this.receives = receives;
  }

  /** Takes what has completed, and returns how much. */
  int poll() {
    int count = requests.poll(requestHandler, POLL);
    return receiving ? count + receives.poll(receiveHandler, POLL) : count;
  }

  /** Polls until so many requests of a flow have completed. */
  void awaitCompleted(Flow flow, int count) {
    stall.restart();
    while (flow.completed() < count) {
      stall.note(poll());
    }
  }

  /** Polls until the peer of a flow has received so many messages. */
  void awaitReceived(Flow flow, int count) {
    stall.restart();
    while (flow.received() < count) {
      stall.note(poll());
    }
  }

  /** Wakes a device that has gone to sleep, so that the clock times messages and not the waking. */
  void wake() {
    flows[0].requester().nop().signaled(0);
    flows[0].requester().ringDoorbell();
    stall.restart();
    while (true) {
      Completion completion = requests.poll();
      if (completion != null) {
        requireSuccess(completion);
        return;
      }
      stall.note(0);
    }
  }

  private void requestCompleted(Completion completion) {
    requireSuccess(completion);
    long id = completion.id();
    flows[Flow.number(id)].requestCompleted(id);
  }

  private void received(Completion completion) {
    requireSuccess(completion);
    int flow =
        receivers == null
            ? Flow.number(completion.id())
            : receivers.flow(completion.queuePairNumber());
    flows[flow].received(completion);
  }

  private static void requireSuccess(Completion completion) {
    if (!completion.isSuccess()) {
      throw Traffic.failed(completion);
    }
  }
}
