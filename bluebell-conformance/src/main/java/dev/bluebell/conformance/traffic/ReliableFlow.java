package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.TagHeader;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A flow of a reliable service. Its requests move bytes between two places of its own, and the
 * model does the same when they are posted. A request that would race with a READ or an atomic
 * before it gets a fence.
 */
final class ReliableFlow extends Flow {
  private static final int PLACE_BYTES = 4096;
  private static final int MESSAGES = 16;
  private static final int STAGE_BYTES = 16;
  private static final int SHORT = 200;

  private final Territory here;
  private final Territory there;
  private final int local;
  private final int remote;

  /** In front of each message: its stamp, or the header of its tag. */
  private final int stage;

  private final List<? extends Inbox> inboxes;
  private final Races races = new Races();

  // Messages that must arrive, in this order.
  private final int[] sequences = new int[MESSAGES];
  private final int[] lengths = new int[MESSAGES];
  private final boolean[] immediates = new boolean[MESSAGES];
  private final boolean[] writes = new boolean[MESSAGES];
  private final Inbox[] destinations = new Inbox[MESSAGES];
  private final byte[] texts = new byte[MESSAGES * Inbox.SLOT_BYTES];
  private int firstMessage;
  private int endMessage;

  /**
   * @param inboxes where messages to each of the poster's targets arrive
   */
  ReliableFlow(
      int number,
      Poster poster,
      Tally tally,
      Territory here,
      Territory there,
      List<? extends Inbox> inboxes) {
    super(number, poster, tally);
    this.here = here;
    this.there = there;
    this.inboxes = inboxes;
    local = here.take(PLACE_BYTES);
    remote = there.take(PLACE_BYTES);
    stage = here.take(MESSAGES * STAGE_BYTES);
  }

  @Override
  boolean act(SplittableRandom random, Request request) {
    int target = random.nextInt(poster.targets());
    inboxes.get(target).act(random);
    if (!hasRoom()) {
      return false;
    }
    switch (random.nextInt(10)) {
      case 0, 1 -> write(random, request, target, false);
      case 2 -> write(random, request, target, true);
      case 3, 4 -> read(random, request, target);
      case 5, 6, 7 -> send(random, request, target);
      case 8 -> atomic(random, request, target);
      default -> {
        if (!poster.hasMasks()) {
          atomic(random, request, target);
        } else if (random.nextBoolean()) {
          maskedSwap(random, request, target);
        } else {
          maskedAdd(random, request, target);
        }
      }
    }
    return true;
  }

  private static int length(SplittableRandom random, int most) {
    return random.nextInt(6) == 0 ? random.nextInt(most) : random.nextInt(SHORT);
  }

  private static int place(SplittableRandom random, int bytes) {
    return random.nextInt(PLACE_BYTES - bytes);
  }

  private void write(SplittableRandom random, Request request, int target, boolean immediate) {
    Inbox inbox = inboxes.get(target);
    if (immediate && !mayMessage(random, inbox)) {
      return;
    }
    int bytes = length(random, PLACE_BYTES / 2);
    int from = place(random, bytes);
    int to = place(random, bytes);
    request.begin(immediate ? RequestKind.WRITE_IMMEDIATE : RequestKind.WRITE, target);
    remote(request, to);
    request.fence = races.writeRaces(to, bytes) || races.readRaces(from, bytes);
    gather(random, request, from, bytes);
    if (immediate) {
      request.immediate = Mark.immediate(number, posted);
      expectMessage(inbox, bytes, true, true);
    }
    there.expectCopy(here.model(), local + from, remote + to, bytes);
    end(random, request, 0);
  }

  private void read(SplittableRandom random, Request request, int target) {
    int bytes = length(random, PLACE_BYTES / 2);
    int from = place(random, bytes);
    int to = place(random, bytes);
    request.begin(RequestKind.READ, target);
    remote(request, from);
    if (bytes > 0) {
      pieces(random, request, local + to, bytes);
    }
    // Answers come in order, so READs need no fence among themselves.
    here.expectCopy(there.model(), remote + from, local + to, bytes);
    end(random, request, bytes);
    races.fetches(posted, from, to, bytes);
  }

  // ---- messages

  private boolean mayMessage(SplittableRandom random, Inbox inbox) {
    return endMessage - firstMessage < MESSAGES && (inbox.spare() > 0 || random.nextInt(32) == 0);
  }

  private void send(SplittableRandom random, Request request, int target) {
    Inbox inbox = inboxes.get(target);
    if (!mayMessage(random, inbox)) {
      return;
    }
    if (inbox instanceof TagInbox tags) {
      sendTagged(random, request, target, tags);
      return;
    }
    boolean empty = random.nextInt(16) == 0;
    boolean immediate = empty || random.nextBoolean();
    request.begin(immediate ? RequestKind.SEND_IMMEDIATE : RequestKind.SEND, target);
    request.immediate = Mark.immediate(number, posted);
    int bytes = 0;
    if (!empty) {
      int payload = length(random, Inbox.SLOT_BYTES - Mark.BYTES);
      bytes = Mark.BYTES + payload;
      int from = place(random, payload);
      int at = stage(endMessage);
      here.write(at, Mark.stamp(number, posted));
      request.fence = races.readRaces(from, payload);
      compose(random, request, at, Mark.BYTES, from, payload);
    }
    expectMessage(inbox, bytes, immediate, false);
    end(random, request, 0);
  }

  private void sendTagged(SplittableRandom random, Request request, int target, TagInbox inbox) {
    int payload = length(random, Inbox.SLOT_BYTES - TagHeader.BYTES);
    int from = place(random, payload);
    int at = stage(endMessage);
    request.begin(RequestKind.SEND, target);
    request.fence = races.readRaces(from, payload);
    inbox.address(random, here.memory(), at, Mark.immediate(number, posted));
    here.accept(at, TagHeader.BYTES);
    compose(random, request, at, TagHeader.BYTES, from, payload);
    expectMessage(inbox, TagHeader.BYTES + payload, false, false);
    end(random, request, 0);
  }

  private int stage(int message) {
    return stage + (message & MESSAGES - 1) * STAGE_BYTES;
  }

  /** Puts a head and some of the local bytes together, and remembers the text. */
  private void compose(
      SplittableRandom random, Request request, int head, int headBytes, int from, int payload) {
    int text = (endMessage & MESSAGES - 1) * Inbox.SLOT_BYTES;
    System.arraycopy(here.model(), head, texts, text, headBytes);
    System.arraycopy(here.model(), local + from, texts, text + headBytes, payload);
    int bytes = headBytes + payload;
    if (bytes <= Population.MOST_INLINE && random.nextBoolean()) {
      System.arraycopy(texts, text, request.inline, 0, bytes);
      request.inlineBytes = bytes;
      return;
    }
    request.lkey = here.lkey();
    request.piece(here.address(head), headBytes);
    if (payload > 0) {
      pieces(random, request, local + from, payload);
    }
  }

  private void expectMessage(Inbox inbox, int bytes, boolean immediate, boolean write) {
    int slot = endMessage & MESSAGES - 1;
    sequences[slot] = posted;
    lengths[slot] = bytes;
    immediates[slot] = immediate;
    writes[slot] = write;
    destinations[slot] = inbox;
    endMessage++;
    inbox.promise();
    tally.outstanding++;
  }

  @Override
  void received(Arrival arrival) {
    if (firstMessage == endMessage) {
      throw failure("%s arrived, and no message is due", arrival);
    }
    int slot = firstMessage & MESSAGES - 1;
    int due = sequences[slot];
    int bytes = lengths[slot] - arrival.headless;
    if (!arrival.is(number, due)
        || arrival.hasImmediate != immediates[slot]
        || arrival.isWrite != writes[slot]
        || arrival.inbox.number != destinations[slot].number
        || arrival.bytes != bytes) {
      throw failure(
          "%s arrived, and message %d is due: %d bytes to %s (immediate %b, write %b)",
          arrival, due, bytes, destinations[slot], immediates[slot], writes[slot]);
    }
    if (!arrival.isWrite) {
      int text = slot * Inbox.SLOT_BYTES + arrival.headless;
      Territory territory = arrival.inbox.territory();
      int wrong = territory.mismatch(arrival.at, texts, text, bytes);
      if (wrong >= 0) {
        throw failure("byte %d of message %d (%d bytes) is wrong", wrong, due, bytes);
      }
      territory.expectCopy(texts, text, arrival.at, bytes);
    }
    firstMessage++;
    arrival.inbox.kept();
    tally.outstanding--;
  }

  // ---- atomics

  private void atomic(SplittableRandom random, Request request, int target) {
    int word = random.nextInt(PLACE_BYTES / 8) * 8;
    int into = place(random, 8);
    long old = there.getLong(remote + word);
    long operand = random.nextLong();
    boolean swap = random.nextBoolean();
    begin(
        request,
        swap ? RequestKind.COMPARE_AND_SWAP : RequestKind.FETCH_AND_ADD,
        target,
        word,
        into,
        8);
    if (swap) {
      long compare = random.nextBoolean() ? old : operand + 1;
      request.first = new Bits128(0, compare);
      request.second = new Bits128(0, operand);
      there.expectLong(remote + word, compare == old ? operand : old);
    } else {
      request.first = new Bits128(0, operand);
      there.expectLong(remote + word, old + operand);
    }
    here.expectLong(local + into, old);
    endAtomic(random, request, word, into, 8);
  }

  private void maskedSwap(SplittableRandom random, Request request, int target) {
    int bytes = 4 << random.nextInt(3);
    int word = random.nextInt(PLACE_BYTES / bytes) * bytes;
    int into = place(random, bytes);
    Bits128 old = operand(word, bytes);
    Bits128 compareMask = MaskedModel.sparse(random);
    Bits128 swapMask = MaskedModel.random(random);
    // A value that agrees where it counts, or most probably does not.
    Bits128 noise = MaskedModel.random(random);
    Bits128 compare = random.nextInt(4) == 0 ? noise : MaskedModel.choose(compareMask, old, noise);
    Bits128 swap = MaskedModel.random(random);
    begin(request, RequestKind.MASKED_COMPARE_AND_SWAP, target, word, into, bytes);
    request.first = compare;
    request.second = swap;
    request.firstMask = compareMask;
    request.secondMask = swapMask;
    expectOperand(word, bytes, MaskedModel.swap(old, bytes, compare, swap, compareMask, swapMask));
    expectResult(into, bytes, old);
    endAtomic(random, request, word, into, bytes);
  }

  private void maskedAdd(SplittableRandom random, Request request, int target) {
    int bytes = 4 << random.nextInt(3);
    int word = random.nextInt(PLACE_BYTES / bytes) * bytes;
    int into = place(random, bytes);
    Bits128 old = operand(word, bytes);
    begin(request, RequestKind.MASKED_FETCH_AND_ADD, target, word, into, bytes);
    request.first = MaskedModel.random(random);
    request.firstMask = MaskedModel.sparse(random);
    expectOperand(word, bytes, MaskedModel.add(old, bytes, request.first, request.firstMask));
    expectResult(into, bytes, old);
    endAtomic(random, request, word, into, bytes);
  }

  private void begin(Request request, RequestKind kind, int target, int word, int into, int bytes) {
    request.begin(kind, target);
    remote(request, word);
    request.operandBytes = bytes;
    request.lkey = here.lkey();
    request.piece(here.address(local + into), bytes);
    request.fence = races.writeRaces(word, bytes);
  }

  private void endAtomic(SplittableRandom random, Request request, int word, int into, int bytes) {
    end(random, request, bytes);
    races.fetches(posted, word, into, bytes);
  }

  /** Memory is one number in the host's byte order; of 16 bytes, the high half is first. */
  private Bits128 operand(int word, int bytes) {
    int at = remote + word;
    return switch (bytes) {
      case 4 -> new Bits128(0, there.getInt(at) & 0xffffffffL);
      case 8 -> new Bits128(0, there.getLong(at));
      default -> new Bits128(there.getLong(at), there.getLong(at + 8));
    };
  }

  private void expectOperand(int word, int bytes, Bits128 value) {
    int at = remote + word;
    switch (bytes) {
      case 4 -> there.expectInt(at, (int) value.low());
      case 8 -> there.expectLong(at, value.low());
      default -> {
        there.expectLong(at, value.high());
        there.expectLong(at + 8, value.low());
      }
    }
  }

  /** Results of 4 and 16 bytes are big-endian; those of 8 bytes are in the host's byte order. */
  private void expectResult(int into, int bytes, Bits128 value) {
    int at = local + into;
    switch (bytes) {
      case 4 -> here.expectInt(at, Integer.reverseBytes((int) value.low()));
      case 8 -> here.expectLong(at, value.low());
      default -> {
        here.expectLong(at, Long.reverseBytes(value.high()));
        here.expectLong(at + 8, Long.reverseBytes(value.low()));
      }
    }
  }

  // ---- parts of requests

  private void remote(Request request, int at) {
    request.remoteAddress = there.address(remote + at);
    request.rkey = there.rkey();
  }

  private void gather(SplittableRandom random, Request request, int from, int bytes) {
    if (bytes <= Population.MOST_INLINE && random.nextBoolean()) {
      System.arraycopy(here.model(), local + from, request.inline, 0, bytes);
      request.inlineBytes = bytes;
    } else if (bytes > 0) {
      pieces(random, request, local + from, bytes);
    }
  }

  /** Splits a range at random places. */
  private void pieces(SplittableRandom random, Request request, int at, int bytes) {
    int from = at;
    int left = bytes;
    while (request.pieces < Request.MOST_PIECES - 1 && left > 1 && random.nextInt(4) == 0) {
      int part = 1 + random.nextInt(left - 1);
      request.piece(here.address(from), part);
      from += part;
      left -= part;
    }
    request.piece(here.address(from), left);
    request.lkey = here.lkey();
  }

  private void end(SplittableRandom random, Request request, int bytes) {
    if (random.nextInt(16) == 0 || races.isFull()) {
      request.fence = true;
    }
    post(random, request, bytes);
    if (random.nextInt(3) == 0) {
      poster.queuePair().ringDoorbell();
    }
  }

  @Override
  void fenced() {
    races.clear();
  }

  @Override
  void completedAll() {
    races.completed(completed);
  }

  @Override
  boolean isBusy() {
    return super.isBusy() || firstMessage != endMessage;
  }

  @Override
  public String toString() {
    return "%s, %d messages due".formatted(super.toString(), endMessage - firstMessage);
  }
}
