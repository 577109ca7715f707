package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import java.util.SplittableRandom;

/**
 * An ordered row of requests: those of a queue pair, or of a stream. It knows which completions
 * must come, and in which order.
 */
abstract class Flow {
  /** WQEBBs of the longest request: with an address, operands of 16 bytes and all pieces. */
  private static final int LONGEST_WQEBBS = 4;

  /** Completions that may be due. */
  private static final int WINDOW = 64;

  final int number;
  final Poster poster;
  final Tally tally;

  /** Requests so far: the sequence number of the next. */
  int posted;

  /** Sequence number behind the last request that is known to be complete. */
  int completed;

  private final int[] dueSequence = new int[WINDOW];
  private final RequestKind[] dueKind = new RequestKind[WINDOW];
  private final int[] dueBytes = new int[WINDOW];
  private int dueFirst;
  private int dueEnd;

  /** True while the last request reports nothing. */
  private boolean silent;

  Flow(int number, Poster poster, Tally tally) {
    this.number = number;
    this.poster = poster;
    this.tally = tally;
  }

  /** Composes and posts a random request, if one is possible; false when none was. */
  abstract boolean act(SplittableRandom random, Request request);

  /** A message of this flow arrived. Its bytes are still to be compared. */
  abstract void received(Arrival arrival);

  /** Compares what only the end of a round can tell. */
  void endRound() {}

  /** True when there is room for any request. */
  final boolean hasRoom() {
    return poster.queuePair().freeWqebbs() >= 2 * LONGEST_WQEBBS && dueEnd - dueFirst < WINDOW - 1;
  }

  /**
   * Posts a request, signalled if it must be or at random, and expects its completion.
   *
   * @param bytes that the completion tells, when it tells any
   */
  final void post(SplittableRandom random, Request request, int bytes) {
    boolean roomy = poster.queuePair().freeWqebbs() > 4 * LONGEST_WQEBBS;
    boolean maySilent = poster.mayBeSilent() && request.kind != RequestKind.NOP && roomy;
    request.signaled = !maySilent || random.nextInt(3) == 0;
    if (poster.reportsFencedOnly() && request.signaled) {
      request.fence = true;
    }
    if (request.fence) {
      fenced();
    }
    request.solicited = random.nextInt(8) == 0 && request.kind != RequestKind.NOP;
    request.id = Ids.ofFlow(number, posted);
    if (request.signaled) {
      int slot = dueEnd & WINDOW - 1;
      dueSequence[slot] = posted;
      dueKind[slot] = request.kind;
      dueBytes[slot] = bytes;
      dueEnd++;
      tally.outstanding++;
    }
    silent = !request.signaled;
    poster.post(request);
    posted++;
    tally.requests++;
    if (random.nextInt(3) == 0) {
      poster.queuePair().ringDoorbell();
    }
  }

  /** Lets bytes travel inside a request, at random, if they are few; false when they do not. */
  static boolean isInline(
      SplittableRandom random, Request request, byte[] bytes, int at, int length) {
    if (length > Population.MOST_INLINE || random.nextBoolean()) {
      return false;
    }
    System.arraycopy(bytes, at, request.inline, 0, length);
    request.inlineBytes = length;
    return true;
  }

  /** Adds memory to a request, split at random places. */
  static void pieces(
      SplittableRandom random, Request request, Territory territory, int at, int bytes) {
    int from = at;
    int left = bytes;
    while (request.pieces < Request.MOST_PIECES - 1 && left > 0 && random.nextInt(4) == 0) {
      int part = random.nextInt(left);
      request.piece(territory.address(from), part);
      from += part;
      left -= part;
    }
    request.piece(territory.address(from), left);
    request.lkey = territory.lkey();
  }

  /** The request that is posted next waits for all answers. */
  void fenced() {}

  /** Lets everything that was posted report, and the device see it. */
  final void finish(SplittableRandom random, Request request) {
    if (silent && poster.queuePair().freeWqebbs() > 0) {
      request.begin(RequestKind.NOP, 0);
      post(random, request, 0);
    }
    poster.queuePair().ringDoorbell();
  }

  /** Takes a completion of a request. */
  final void completed(Completion completion) {
    int sequence = Ids.item(completion.id());
    if (dueFirst == dueEnd) {
      throw failure("request %d completed, and none is due", sequence);
    }
    int slot = dueFirst & WINDOW - 1;
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw failure("request %d (%s): %s", sequence, dueKind[slot], completion.explanation());
    }
    if (sequence != dueSequence[slot]) {
      throw failure("request %d completed, and request %d is due", sequence, dueSequence[slot]);
    }
    if (completion.opcode() != dueKind[slot].opcode()) {
      throw failure(
          "request %d completed as %s and is %s", sequence, completion.opcode(), dueKind[slot]);
    }
    if (dueKind[slot].fetches() && completion.byteCount() != dueBytes[slot]) {
      throw failure(
          "request %d (%s) fetched %d bytes and not %d",
          sequence, dueKind[slot], completion.byteCount(), dueBytes[slot]);
    }
    if (completion.queuePairNumber() != poster.queuePair().number()) {
      throw failure("request %d completed at QP 0x%x", sequence, completion.queuePairNumber());
    }
    dueFirst++;
    tally.outstanding--;
    completed = sequence + 1;
    completedAll();
  }

  /** Everything before {@link #completed} is complete. */
  void completedAll() {}

  /** True when a completion or a message is due. */
  boolean isBusy() {
    return dueFirst != dueEnd;
  }

  final AssertionError failure(String format, Object... arguments) {
    return new AssertionError("%s: %s".formatted(this, format.formatted(arguments)));
  }

  @Override
  public String toString() {
    return "flow %d (%s, %d posted, %d complete, %d due)"
        .formatted(number, poster.queuePair(), posted, completed, dueEnd - dueFirst);
  }
}
