package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.RequestEnd;

/**
 * One side of the echo: writes to the other with an immediate, and is told by receive completions
 * what the other wrote. Subclasses say what a message that arrived leads to.
 */
abstract class EchoSide implements CompletionHandler {
  private static final int POLL = 128;
  private static final int RECEIVE_BATCH = 64;

  /** Marks the ids of send requests; receive requests have the id 0. */
  private static final long SEND = 1L << 63;

  private final Requester requester;
  private final ReceiveQueue receives;
  private final CompletionQueue completions;
  private final LocalWindow window;
  private final int size;
  private final int signalEvery;
  private final int receiveBatch;

  private int untilSignal;
  private int arrived;
  private int expected;
  private int wrong;

  /**
   * Describes a side.
   *
   * @param window where messages arrive
   */
  EchoSide(PerfPlan plan, End end, CompletionQueue completions, LocalWindow window) {
    requester = end.requester();
    receives = end.receives();
    this.completions = completions;
    this.window = window;
    size = plan.size();
    signalEvery = plan.signalEvery();
    untilSignal = signalEvery;
    receiveBatch = Math.min(RECEIVE_BATCH, receives.size() / 2);
  }

  /** Starts a round of so many messages, of which the first has this sequence number. */
  void start(int messages, long first) {
    window.poison();
    arrived = 0;
    expected = (int) first;
    postReceives();
  }

  /** Takes what completed, and posts receives in place of those that were consumed. */
  final int poll() {
    int count = completions.poll(this, POLL);
    if (receives.freeRequests() >= receiveBatch) {
      postReceives();
    }
    return count;
  }

  private void postReceives() {
    for (int free = receives.freeRequests(); free > 0; free--) {
      receives.receive().empty().post(0);
    }
    receives.ringDoorbell();
  }

  @Override
  public final void completed(Completion completion) {
    WorkFailed.unlessSuccess(completion);
    if (completion.id() >= 0) {
      wrong |= completion.immediate() ^ expected | completion.byteCount() ^ size;
      expected++;
      arrived(arrived++);
    }
  }

  /** Ends a request, signalled when it is its turn. */
  final void end(RequestEnd request) {
    if (--untilSignal == 0) {
      untilSignal = signalEvery;
      request.signaled(SEND);
    } else {
      request.unsignaled(SEND);
    }
  }

  /** Messages of the round that have arrived. */
  final int arrived() {
    return arrived;
  }

  /** Whether every message so far came in order, with the right immediate and length. */
  final boolean isInOrder() {
    return wrong == 0;
  }

  /** Where messages arrive. */
  final LocalWindow window() {
    return window;
  }

  final Requester requester() {
    return requester;
  }

  /** Posts what may be posted and polls; returns how many completions it took. */
  abstract int advance();

  /** Takes the arrival of the round's message {@code index}. */
  abstract void arrived(int index);
}
