package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.util.List;

/** Polls for flows and tells each what completed. */
final class FlowPoller {
  private static final int POLL = 64;

  private final Flow[] flows;
  private final CompletionQueue requests;
  private final ReceivePoller receives;
  private final CompletionHandler handler = this::completed;
  private final Stall stall = new Stall();

  /**
   * Polls for requests and receives.
   *
   * @param flows by their numbers
   * @param requests where requests complete
   */
  FlowPoller(List<Flow> flows, CompletionQueue requests, ReceivePoller receives) {
    this.flows = flows.toArray(Flow[]::new);
    this.requests = requests;
    this.receives = receives;
  }

  /** Takes what has completed, and returns how much. */
  int poll() {
    return requests.poll(handler, POLL) + receives.poll();
  }

  /** Polls until so many requests of a flow have completed. */
  void awaitCompleted(Flow flow, int count) {
    stall.restart();
    while (flow.completed() < count) {
      stall.note(poll());
    }
  }

  /** Posts a message of a flow as soon as it may leave, and polls until the peer received it. */
  void deliver(Flow flow, int index) {
    flow.advance();
    while (flow.posted() <= index) {
      poll();
      flow.advance();
    }
    stall.restart();
    while (flow.received() <= index) {
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
        WorkFailed.unlessSuccess(completion);
        return;
      }
      stall.note(0);
    }
  }

  private void completed(Completion completion) {
    WorkFailed.unlessSuccess(completion);
    long id = completion.id();
    flows[Flow.number(id)].requestCompleted(id);
  }
}
