package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.RequestEnd;

/**
 * One side of the echo. It writes to the other with an immediate, and its receive completions
 * announce what the other wrote. Subclasses define the reaction to an arrived message.
 */
abstract class EchoSide implements CompletionHandler {
  private static final int POLL = 128;
  private static final int RECEIVE_BATCH = 64;

  /** Marks the ids of send requests; receive requests have id 0. */
  private static final long SEND = 1L << 63;

  private final Requester requester;
  private final ReceiveQueue receives;
  private final CompletionQueue completions;
  private final LocalWindow window;
  private final int size;
  private final int signalEvery;
  private final int receiveBatch;

  /** Receives that were never posted. */
  private int empty;

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
    empty = receives.slots();
  }

  /** Starts a round; {@code first} is the sequence number of its first message. */
  void start(int messages, long first) {
    window.poison();
    arrived = 0;
    expected = (int) first;
    postReceives();
  }

  /** Polls for completions, and posts receives in place of the consumed ones. */
  final int poll() {
    int count = completions.poll(this, POLL);
    if (receives.freeRequests() >= receiveBatch) {
      postReceives();
    }
    return count;
  }

  /** Posts all receives that there is room for; they have no memory, so all are alike. */
  private void postReceives() {
    int free = receives.freeRequests();
    int again = receives.slots() == 0 ? 0 : Math.max(0, free - empty);
    for (int i = again; i < free; i++) {
      receives.receive().empty().post(0);
    }
    empty -= Math.min(empty, free);
    if (again > 0) {
      receives.repost(again);
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

  /** Ends a request, signalled or unsignalled as the plan says. */
  final void end(RequestEnd request) {
    if (--untilSignal == 0) {
      untilSignal = signalEvery;
      request.signaled(SEND);
    } else {
      request.unsignaled(SEND);
    }
  }

  /** Number of the round's messages that have arrived. */
  final int arrived() {
    return arrived;
  }

  /** Whether all messages so far arrived in order, with the right immediate and length. */
  final boolean isInOrder() {
    return wrong == 0;
  }

  /** The memory in which messages arrive. */
  final LocalWindow window() {
    return window;
  }

  final Requester requester() {
    return requester;
  }

  /** Posts as much as possible and polls; returns the number of completions. */
  abstract int advance();

  /** Reacts to the arrival of the round's message {@code index}. */
  abstract void arrived(int index);
}
