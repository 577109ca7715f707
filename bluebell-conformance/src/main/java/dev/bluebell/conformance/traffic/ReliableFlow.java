package dev.bluebell.conformance.traffic;

import dev.bluebell.conformance.traffic.AtomicRequest.Kind;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.TagHeader;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A flow of a reliable service. Its requests move bytes between two places of its own, and the
 * model does the same when they are posted. A request that would race with an earlier READ or
 * atomic gets a fence.
 */
final class ReliableFlow extends Flow {
  private static final int MESSAGES = 16;
  private static final int STAGE_BYTES = 16;
  private static final int SHORT = 300;

  private final Territory here;
  private final Territory there;
  private final int placeBytes;
  private final int local;
  private final int remote;

  /** Offset of the staging area for a message's stamp or tag header. */
  private final int stage;

  /** Offset of the results of the shared counter, which grows from one to the next. */
  private final int counted;

  private long lastCounted;

  private final List<? extends Inbox> inboxes;
  private final Races races = new Races();

  // Messages that must arrive, in order.
  private final int[] sequences = new int[MESSAGES];
  private final int[] lengths = new int[MESSAGES];
  private final boolean[] immediates = new boolean[MESSAGES];
  private final boolean[] writes = new boolean[MESSAGES];
  private final Inbox[] destinations = new Inbox[MESSAGES];
  private final byte[] texts = new byte[MESSAGES * Inbox.SLOT_BYTES];
  private int firstMessage;
  private int endMessage;

  /**
   * @param placeBytes size of the places between which requests move bytes
   * @param inboxes the inbox of each of the poster's targets
   */
  ReliableFlow(
      int number,
      Poster poster,
      Tally tally,
      Territory here,
      Territory there,
      int placeBytes,
      List<? extends Inbox> inboxes) {
    super(number, poster, tally);
    this.here = here;
    this.there = there;
    this.placeBytes = placeBytes;
    this.inboxes = inboxes;
    local = here.take(placeBytes);
    remote = there.take(placeBytes);
    stage = here.take(MESSAGES * STAGE_BYTES);
    counted = here.take(Long.BYTES);
    here.write(counted, 0);
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
      default -> count(random, request, target);
    }
    return true;
  }

  private static int length(SplittableRandom random, int most) {
    return random.nextInt(6) == 0 ? random.nextInt(most) : random.nextInt(SHORT);
  }

  private int place(SplittableRandom random, int bytes) {
    return random.nextInt(placeBytes - bytes);
  }

  private void write(SplittableRandom random, Request request, int target, boolean immediate) {
    Inbox inbox = inboxes.get(target);
    if (immediate && !mayMessage(random, inbox)) {
      return;
    }
    int bytes = length(random, placeBytes / 2);
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
    int bytes = length(random, placeBytes / 2);
    int from = place(random, bytes);
    int to = place(random, bytes);
    request.begin(RequestKind.READ, target);
    remote(request, from);
    if (bytes > 0) {
      pieces(random, request, here, local + to, bytes);
    }
    // Responses arrive in order, so READs need no fence among themselves.
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

  /** Combines a header and some local bytes, and remembers the message. */
  private void compose(
      SplittableRandom random, Request request, int head, int headBytes, int from, int payload) {
    int text = (endMessage & MESSAGES - 1) * Inbox.SLOT_BYTES;
    System.arraycopy(here.model(), head, texts, text, headBytes);
    System.arraycopy(here.model(), local + from, texts, text + headBytes, payload);
    if (isInline(random, request, texts, text, headBytes + payload)) {
      return;
    }
    request.lkey = here.lkey();
    request.piece(here.address(head), headBytes);
    if (payload > 0) {
      pieces(random, request, here, local + from, payload);
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
      throw failure("%s arrived, but no message is due", arrival);
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
          "%s arrived, but message %d is due: %d bytes to %s (immediate %b, write %b)",
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
    Kind[] kinds = Kind.values();
    Kind kind = kinds[random.nextInt(kinds.length)];
    if (kind.isMasked() && !tally.hasMasks) {
      kind = Kind.COMPARE_AND_SWAP;
    }
    int bytes = kind.isMasked() ? 4 << random.nextInt(3) : Long.BYTES;
    int word = random.nextInt(placeBytes / bytes) * bytes;
    int into = place(random, bytes);
    AtomicModel model = new AtomicModel(bytes);
    BigInteger old = model.ofMemory(there.expected(remote + word, bytes));
    request.begin(kind.request(), target);
    remote(request, word);
    AtomicRequest atomic =
        AtomicRequest.of(kind, bytes, random, old, request.remoteAddress, request.rkey);
    request.atomic = atomic.stages();
    request.lkey = here.lkey();
    request.piece(here.address(local + into), bytes);
    request.fence = races.writeRaces(word, bytes);
    there.expect(remote + word, model.toMemory(atomic.effect().apply(old)));
    here.expect(local + into, model.toResult(old));
    end(random, request, bytes);
    races.fetches(posted, word, into, bytes);
  }

  /** Adds to the shared counter. */
  private void count(SplittableRandom random, Request request, int target) {
    int add = 1 + random.nextInt(1000);
    MemoryRegion counter = there.counter();
    request.begin(RequestKind.FETCH_AND_ADD, target);
    request.atomic = to -> to.fetchAndAdd(counter.address(), counter.rkey(), add);
    request.lkey = here.lkey();
    request.piece(here.address(counted), Long.BYTES);
    tally.counter.added(add);
    end(random, request, Long.BYTES);
  }

  // ---- parts of requests

  private void remote(Request request, int at) {
    request.remoteAddress = there.address(remote + at);
    request.rkey = there.rkey();
  }

  private void gather(SplittableRandom random, Request request, int from, int bytes) {
    if (!isInline(random, request, here.model(), local + from, bytes) && bytes > 0) {
      pieces(random, request, here, local + from, bytes);
    }
  }

  private void end(SplittableRandom random, Request request, int bytes) {
    if (random.nextInt(16) == 0 || races.isFull()) {
      request.fence = true;
    }
    post(random, request, bytes);
  }

  @Override
  void fenced() {
    races.clear();
  }

  @Override
  void completedAll() {
    races.completed(completed);
    long seen = here.read(counted);
    if (seen < lastCounted) {
      throw failure("the shared counter went back from %d to %d", lastCounted, seen);
    }
    lastCounted = seen;
  }

  /** Accepts the counter's results: how many additions of other flows they include is unknown. */
  @Override
  void endRound() {
    here.accept(counted, Long.BYTES);
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
