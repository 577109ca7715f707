package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import java.util.SplittableRandom;

/**
 * An ordered sequence of requests, of a queue pair or a stream, with the completions that must
 * arrive for them, and their order.
 */
abstract class Flow {
  /** WQEBBs of the longest request: an address, operands of 16 bytes and all pieces. */
  private static final int LONGEST_WQEBBS = 4;

  /** Largest number of completions due. */
  private static final int WINDOW = 64;

  final int number;
  final Poster poster;
  final Tally tally;

  /** Number of requests so far: the sequence number of the next one. */
  int posted;

  /** Sequence number after the last request known to be complete. */
  int completed;

  private final int[] dueSequence = new int[WINDOW];
  private final RequestKind[] dueKind = new RequestKind[WINDOW];
  private final int[] dueBytes = new int[WINDOW];
  private int dueFirst;
  private int dueEnd;

  /** True while the last request is unsignalled. */
  private boolean silent;

  Flow(int number, Poster poster, Tally tally) {
    this.number = number;
    this.poster = poster;
    this.tally = tally;
  }

  /** Builds and posts a random request, if one is possible; false if not. */
  abstract boolean act(SplittableRandom random, Request request);

  /** Called when a message of this flow arrived. Its bytes are not compared yet. */
  abstract void received(Arrival arrival);

  /** Compares the state that is known only at the end of a round. */
  void endRound() {}

  /** True when there is room for any request. */
  final boolean hasRoom() {
    return poster.queuePair().freeWqebbs() >= 2 * LONGEST_WQEBBS && dueEnd - dueFirst < WINDOW - 1;
  }

  /**
   * Posts a request, signalled if it must be or at random, and expects its completion.
   *
   * @param bytes in the completion, if it has a byte count
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

  /** Makes a few bytes inline data, at random; false when they are not inline. */
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

  /** Called when the next request is fenced: it waits for all answers. */
  void fenced() {}

  /** Makes all posted requests report a completion, and rings the doorbell. */
  final void finish(SplittableRandom random, Request request) {
    if (silent && poster.queuePair().freeWqebbs() > 0) {
      request.begin(RequestKind.NOP, 0);
      post(random, request, 0);
    }
    poster.queuePair().ringDoorbell();
  }

  /** Handles a completion of a request. */
  final void completed(Completion completion) {
    int sequence = Ids.item(completion.id());
    if (dueFirst == dueEnd) {
      throw failure("request %d completed, but none is due", sequence);
    }
    int slot = dueFirst & WINDOW - 1;
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw failure("request %d (%s): %s", sequence, dueKind[slot], completion.explanation());
    }
    if (sequence != dueSequence[slot]) {
      throw failure("request %d completed, but request %d is due", sequence, dueSequence[slot]);
    }
    if (completion.opcode() != dueKind[slot].opcode()) {
      throw failure(
          "request %d completed as %s, but is %s", sequence, completion.opcode(), dueKind[slot]);
    }
    if (dueKind[slot].fetches() && completion.byteCount() != dueBytes[slot]) {
      throw failure(
          "request %d (%s) fetched %d bytes instead of %d",
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

  /** Called when all requests before {@link #completed} are complete. */
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
