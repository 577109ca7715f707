package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.util.List;

/** Polls completion queues for several flows, and gives each flow its completions. */
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
   * @param requests completion queue of requests
   */
  FlowPoller(List<Flow> flows, CompletionQueue requests, ReceivePoller receives) {
    this.flows = flows.toArray(Flow[]::new);
    this.requests = requests;
    this.receives = receives;
  }

  /** Polls once; returns the number of completions. */
  int poll() {
    return requests.poll(handler, POLL) + receives.poll();
  }

  /** Polls until {@code count} requests of a flow have completed. */
  void awaitCompleted(Flow flow, int count) {
    stall.restart();
    while (flow.completed() < count) {
      stall.note(poll());
    }
  }

  /** Posts a message of a flow as soon as possible, and polls until the peer has received it. */
  void deliver(Flow flow, int index) {
    flow.advance();
    stall.restart();
    while (flow.posted() <= index) {
      stall.note(poll());
      flow.advance();
    }
    stall.restart();
    while (flow.received() <= index) {
      stall.note(poll());
    }
  }

  /** Wakes a sleeping device, so that the measured time does not include the wake-up. */
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
