package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import java.util.List;
import java.util.function.ToIntFunction;

/** Polls for receives, and gives each flow its completions. */
final class ReceivePoller {
  private static final int POLL = 64;

  private final Receives[] receives;
  private final CompletionQueue completions;
  private final ToIntFunction<Completion> flow;
  private final CompletionHandler handler = this::received;

  /**
   * Polls a completion queue.
   *
   * @param receives by flow number; empty when the flows have none
   * @param flow finds the flow of a receive completion
   */
  ReceivePoller(
      List<Receives> receives, CompletionQueue completions, ToIntFunction<Completion> flow) {
    this.receives = receives.toArray(Receives[]::new);
    this.completions = completions;
    this.flow = flow;
  }

  /** Polls a completion queue whose receive ids contain the flow number. */
  ReceivePoller(List<Receives> receives, CompletionQueue completions) {
    this(receives, completions, completion -> Flow.number(completion.id()));
  }

  /** Polls once; returns the number of completions. */
  int poll() {
    return receives.length == 0 ? 0 : completions.poll(handler, POLL);
  }

  private void received(Completion completion) {
    WorkFailed.unlessSuccess(completion);
    receives[flow.applyAsInt(completion)].received(completion);
  }
}
