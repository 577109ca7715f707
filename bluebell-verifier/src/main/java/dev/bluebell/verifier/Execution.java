package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import dev.bluebell.verifier.Symbols.Equality;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Executes requests on a path of a proof, each to its end before the next, and records when a
 * device may make their accesses: not before the start of the request, and certainly before its
 * end.
 */
final class Execution {
  /** Smallest MTU of a connection, in bytes: a message of this length is one packet. */
  private static final int LEAST_MTU = 256;

  /**
   * Completions between a WAIT and its queue's count, at most. A WAIT that is half of the counter's
   * 24 bits away holds again after further completions, or no longer.
   */
  private static final int MAX_DISTANCE = 1 << 22;

  private final Path path;
  private final Rules rules;
  private final ProofMemory memory;
  private final LocalOperations local;
  private boolean waitsEnd;

  Execution(Path path, Rules rules) {
    this.path = path;
    this.rules = rules;
    memory = new ProofMemory(path);
    local = new LocalOperations(path, memory);
  }

  /**
   * Sets whether WAITs for values may end. They are checked only when no other request can be
   * executed: then everything that can be written before they end has been written.
   */
  void letWaitsEnd(boolean may) {
    waitsEnd = may;
  }

  /** Result of executing the next request of a queue. */
  enum Result {
    /** It was executed. */
    DONE,
    /** There is no request, or it waits. */
    BLOCKED,
    /** The outcome of its condition must be chosen first. */
    CONDITION
  }

  /** Executes the next request of a queue, if any. */
  Result next(ProofQueue at) {
    if (at.head >= at.limit()) {
      return Result.BLOCKED;
    }
    EntryReader reader = new EntryReader(path, at, rules);
    Actor who = new Actor(at.entry(at.head), "");
    try {
      Request request = reader.read();
      who = new Actor(at.entry(at.head), request.name());
      return execute(at, reader, request, who);
    } catch (IllegalRequest refused) {
      throw new Refused("%s %s", who.entry(), refused.what());
    }
  }

  private Result execute(ProofQueue at, EntryReader reader, Request request, Actor who) {
    @Nullable Clock awaited = null;
    if (request.isWait()) {
      awaited = awaited(request, who);
      if (awaited == null) {
        return Result.BLOCKED;
      }
    }
    if (request.isValueWait() && !(waitsEnd && endsNow(at, request, who))) {
      return Result.BLOCKED;
    }
    boolean outcome = false;
    if (request.isAtomic()) {
      Boolean decided = outcome(at, reader.codes(), request);
      if (decided == null) {
        return Result.CONDITION;
      }
      outcome = decided;
    }
    at.requests++;
    Clock begun = fetched(at, request, who).and(at.begun).and(awaited);
    begun = begun.and(allowed(at, request)).and(fenced(at, request));
    if (request.isValueWait()) {
      begun = await(request, begun, at.span(who, begun, Chain.BEGUN));
    }
    at.begun = at.after(begun, Chain.BEGUN);
    long index = at.head;
    at.pass(request.wqebbs());
    complete(at, request, who, index, perform(at, reader.codes(), request, who, outcome));
    return Result.DONE;
  }

  /** Fetches an entry; returns the events that have happened when all of it may be fetched. */
  private Clock fetched(ProofQueue at, Request request, Actor who) {
    Clock since = path.start;
    for (int i = 0; i < request.wqebbs(); i++) {
      Clock readable = at.readableSince(at.head + i);
      since = since.and(readable);
      int length = Math.min(64, request.bytes().length - 64 * i);
      int place = path.layout.place(at.queue.send(), at.head + i);
      path.access(at.span(who, readable, Chain.BEGUN).access(Access.Kind.FETCH, place, length));
    }
    return since;
  }

  /** The events that have happened when a device with limits may begin another request. */
  private Clock allowed(ProofQueue at, Request request) {
    Habits habits = rules.habits();
    Clock since = path.start;
    if (habits.window() > 0) {
      long last = at.head + request.wqebbs() - habits.window();
      since = since.and(ProofQueue.before(at.finished, last));
    }
    if (habits.fetches() > 0 && request.isAnswered()) {
      since = since.and(ProofQueue.before(at.fetched, at.fetches + 1L - habits.fetches()));
    }
    return since;
  }

  /** The events that the fence of a request waits for. */
  private Clock fenced(ProofQueue at, Request request) {
    Clock since = request.hasFence() || request.isKeyChange() ? at.keyed : path.start;
    if (request.isEnable() && !rules.fencedEnables()) {
      return since;
    }
    if (request.isStronglyFenced()) {
      since = since.and(at.complete);
    } else if (request.isFenced()) {
      since = since.and(at.fenced);
    }
    return request.isSmallFenced() ? since.and(at.transposed) : since;
  }

  /** Executes a request that has begun; returns the events that have happened when it is over. */
  private Clock perform(ProofQueue at, int[] entry, Request request, Actor who, boolean outcome) {
    if (request.isEnable()) {
      enable(at, request, who);
      return at.begun;
    }
    if (request.isTransposition()) {
      return local.transpose(at, entry, request, who);
    }
    if (request.isKeyChange()) {
      return local.changeKey(at, entry, request, who);
    }
    if (request.isPosted()) {
      return write(at, entry, request, who);
    }
    return request.isAnswered() ? fetch(at, entry, request, who, outcome) : at.begun;
  }

  private void complete(ProofQueue at, Request request, Actor who, long index, Clock done) {
    Habits habits = rules.habits();
    at.complete = at.after(at.complete.and(done), Chain.COMPLETE);
    if (request.isAnswered()) {
      // Only a device with this habit makes a response visible after earlier transpositions.
      at.fenced = habits.landsInOrder() ? at.complete : at.after(done, Chain.COMPLETE);
      if (habits.fetches() > 0) {
        at.fetched.add(new Limit(at.fetches++, at.complete));
      }
    }
    if (habits.window() > 0) {
      at.finished.add(new Limit(index, at.complete));
    }
    if (request.isSignalled()) {
      completed(at.queue.sendCq(), Chain.COMPLETE.of(at.number), at.complete, who);
    }
  }

  // ---- WAIT and SEND_EN

  /** The events that have happened when a WAIT ends; null while it holds its queue. */
  private @Nullable Clock awaited(Request request, Actor who) {
    ProofCq cq = path.completions.get(request.object());
    if (cq == null) {
      throw new IllegalRequest(
          "waits for completion queue %d, which does not exist", request.object());
    }
    cq.awaited = true;
    if (cq.isMixed()) {
      throw mixed(request.object(), who);
    }
    int more = (int) (cq.count - request.awaited() << 8) >> 8;
    if (Math.abs(more) > MAX_DISTANCE) {
      throw new IllegalRequest(
          "waits for completion %d of completion queue %d, which has %d: the device compares 24-bit"
              + " numbers, so they must be nearer",
          request.awaited(), request.object(), cq.count);
    }
    return more > 0 ? cq.when(cq.count - more, path.start) : null;
  }

  /** True when a WAIT for a value is satisfied by memory, in a chain whose rings do not wrap. */
  private boolean endsNow(ProofQueue at, Request request, Actor who) {
    if (path.isGeneral
        || path.queues.stream().anyMatch(each -> each.head > each.queue.send().slots())) {
      throw new Refused(
          "%s waits for memory, and rings are executed again: this can't be proved",
          at.entry(at.head));
    }
    return ValueWaits.isMet(path, request, who);
  }

  private Clock await(Request request, Clock since, Span span) {
    int place = ValueWaits.place(path.layout, request);
    path.log.enter(span.access(Access.Kind.READ, place, Long.BYTES));
    return path.waits.end(path.layout, rules, request, since);
  }

  private static Refused mixed(int cqn, Actor who) {
    return new Refused(
        "%s and the completions of several queues go to completion queue %d, for which a WAIT"
            + " waits: which of them come first is not proved",
        who.entry(), cqn);
  }

  private void completed(int cqn, int chain, Clock when, Actor who) {
    ProofCq cq = path.completions.get(cqn);
    if (cq == null) {
      throw new IllegalRequest("completes in completion queue %d, which does not exist", cqn);
    }
    cq.add(chain, when);
    if (cq.isMixed() && cq.awaited) {
      throw mixed(cqn, who);
    }
  }

  private void enable(ProofQueue at, Request request, Actor who) {
    ProofQueue target = path.queue(request.object());
    if (target == null || !target.queue.managed()) {
      throw new IllegalRequest("enables queue 0x%x, which is not managed", request.object());
    }
    if (target.enabler != null && !target.enabler.isOverAt(at.begun)) {
      throw new Refused(
          "%s and %s enable %s, and nothing determines which is first",
          target.enabler.who(), who, target.name());
    }
    long ahead = request.maxIndex() - target.limit() & 0xffff;
    if (ahead >= 0x8000) {
      throw new IllegalRequest(
          "enables %s up to index %d, although it is already enabled up to index %d",
          target.name(), request.maxIndex(), target.limit() & 0xffff);
    }
    if (ahead > 0) {
      target.limits.add(new Limit(target.limit() + ahead, at.begun));
      target.enabler = at.span(who, at.begun, Chain.BEGUN);
    }
  }

  // ---- WRITE and SEND

  private Clock write(ProofQueue at, int[] entry, Request request, Actor who) {
    int[] payload = gather(at, entry, request, who);
    Clock inOrder = at.begun.and(at.written);
    // Only the last packet of a message is always placed in order; no packet of a WRITE with
    // immediate is.
    boolean isOnePacket = request.isMessage() && payload.length <= LEAST_MTU;
    Clock from = rules.placesInOrder() || isOnePacket ? inOrder : at.begun;
    Clock written = at.after(inOrder, Chain.WRITTEN);
    if (request.hasRemoteAddress() && payload.length > 0 && isNamed(entry, request)) {
      Span span = at.span(who, from, Chain.WRITTEN);
      if (isKnown(entry, request.remoteOffset())) {
        memory.store(memory.remote(owner(at.queue), request, payload.length, span), payload, span);
      } else {
        memory.scribble(Access.Kind.WRITE, remote(at.queue, request), span);
      }
    }
    at.written = written;
    if (!at.queue.isLoopback()) {
      answer(request, written, who);
    } else if (request.takesReceive()) {
      ProofQueue peer = Objects.requireNonNull(path.queue(at.queue.peer()));
      if (peer.taken >= peer.receiveLimit() || !inOrder.covers(peer.receivableSince(peer.taken))) {
        throw new Refused(
            "%s may reach %s before a receive entry is posted there", who, peer.name());
      }
      refuseSecondSender(peer, at, who);
      receive(peer, request.isMessage() ? payload : new int[0], from, written);
    }
    return written;
  }

  /** Nothing determines which receive entries the messages of different queues take. */
  private static void refuseSecondSender(ProofQueue peer, ProofQueue at, Actor who) {
    if (peer.sender == null) {
      peer.sender = at.queue;
    } else if (peer.sender.qpn() != at.queue.qpn()) {
      throw new Refused(
          "%s reaches %s, which receives the messages of queue 0x%x (%s): connect each queue that"
              + " receives to one sender",
          who, peer.name(), peer.sender.qpn(), peer.sender.name());
    }
  }

  private void answer(Request request, Clock written, Actor who) {
    if (path.client >= 0) {
      ProofClient client = path.clients.get(path.client);
      (request.takesReceive() ? client.notices : client.writes).add(written);
    } else if (!path.clients.isEmpty()) {
      throw new Refused("%s answers a client before it calls", who);
    }
  }

  private int[] gather(ProofQueue at, int[] entry, Request request, Actor who) {
    int[] payload = new int[request.length()];
    int done = 0;
    for (Piece piece : request.pieces()) {
      int length = piece.length();
      if (piece.inline()) {
        System.arraycopy(entry, piece.offset(), payload, done, length);
      } else {
        int[] codes = memory.load(piece, entry, at.span(who, at.begun, Chain.WRITTEN));
        System.arraycopy(codes, 0, payload, done, length);
      }
      done += length;
    }
    return payload;
  }

  // ---- READ and atomics

  private Clock fetch(ProofQueue at, int[] entry, Request request, Actor who, boolean outcome) {
    Clock from = at.begun.and(at.written).and(at.answered);
    Span span = at.span(who, from, Chain.ANSWERED);
    int length = request.length();
    int[] payload;
    boolean isShared = false;
    if (request.isAtomic() && isKnown(entry, request.remoteOffset())) {
      int place = place(at.queue, request);
      payload = path.codes(place, length);
      Access.Kind kind = request.isSum() ? Access.Kind.ADD : Access.Kind.CHANGE;
      change(span.access(kind, place, length), payload, entry, request, outcome);
      isShared = path.isSum(place);
    } else if (request.isAtomic()) {
      payload = memory.unknown(length);
      memory.scribble(Access.Kind.CHANGE, remote(at.queue, request), span);
    } else if (isKnown(entry, request.remoteOffset())) {
      payload = memory.load(memory.remote(owner(at.queue), request, length, span), span);
    } else {
      payload = memory.loadAny(remote(at.queue, request), length, span);
    }
    at.answered = at.after(from, Chain.ANSWERED);
    Clock landing = rules.habits().landsInOrder() ? at.answered.and(at.complete) : at.answered;
    Span answering = at.span(who, landing, Chain.COMPLETE);
    scatter(entry, request, response(request, payload), answering, isShared);
    return at.answered;
  }

  /** Executes an atomic at a known place. */
  private void change(Access access, int[] old, int[] entry, Request request, boolean outcome) {
    Atomics atomics = new Atomics(path.symbols, request, entry);
    if (request.isCompareAndSwap()) {
      memory.store(access, outcome ? atomics.swapped(old) : old, 0);
    } else {
      memory.store(access, atomics.sum(old, outcome), request.swapOrAdd());
      path.numbers.add(access.from(), request);
    }
  }

  /** The bytes that a response writes: only those of an atomic of 4 bytes change their order. */
  private static int[] response(Request request, int[] payload) {
    if (!request.isAnsweredBigEndian()) {
      return payload;
    }
    int[] reversed = new int[payload.length];
    for (int i = 0; i < reversed.length; i++) {
      reversed[i] = payload[payload.length - 1 - i];
    }
    return reversed;
  }

  /**
   * Writes a response.
   *
   * @param isShared true when the response is uncertain, as the original value of a sum
   */
  private void scatter(int[] entry, Request request, int[] payload, Span span, boolean isShared) {
    int done = 0;
    for (Piece piece : request.pieces()) {
      int length = piece.length();
      if (isKnown(entry, piece.offset() + 8)) {
        int[] part = Arrays.copyOfRange(payload, done, done + length);
        List<Stretch> to =
            memory.local(piece.lkey(), Right.LOCAL_WRITE, piece.address(), length, span);
        memory.store(to, part, span);
        if (isShared) {
          to.forEach(
              each -> path.log.unsettle(span.access(Access.Kind.ADD, each.place(), each.length())));
        }
      } else {
        memory.scribble(Access.Kind.WRITE, path.layout.sink(piece.lkey()), span);
      }
      done += length;
    }
  }

  /**
   * Whether the next atomic swaps, or its sum carries; null when both are possible and no choice
   * was made.
   */
  private @Nullable Boolean outcome(ProofQueue at, int[] entry, Request request) {
    if (!isKnown(entry, request.remoteOffset())) {
      return false;
    }
    int[] old = path.codes(place(at.queue, request), request.length());
    Atomics atomics = new Atomics(path.symbols, request, entry);
    if (!request.isCompareAndSwap()) {
      return atomics.asksForCarry(old) ? decision() : Boolean.FALSE;
    }
    Equality equality = atomics.compare(old);
    if (equality != Equality.UNKNOWN) {
      return equality == Equality.EQUAL;
    }
    Boolean decision = decision();
    if (decision != null && !atomics.learn(old, decision)) {
      throw new Impossible();
    }
    return decision;
  }

  private @Nullable Boolean decision() {
    Boolean decision = path.decision;
    path.decision = null;
    return decision;
  }

  // ---- messages

  /** Takes a message of the client, if there is a receive entry. */
  boolean receiveFromClient(ProofClient client) {
    ProofQueue at =
        Objects.requireNonNull(path.queue(client.entry.qpn()), "an entry point has no queue");
    if (at.taken >= at.receiveLimit()) {
      return false;
    }
    Clock from = client.knows.and(at.receivableSince(at.taken));
    receive(at, memory.unknown(client.entry.messageBytes()), from, from);
    return true;
  }

  private void receive(ProofQueue at, int[] payload, Clock from, Clock arrived) {
    Ring ring = Objects.requireNonNull(at.queue.receive());
    int chain = Chain.RECEIVED.of(at.number);
    int number = at.arrivals + 1;
    Actor who = new Actor(Actor.receive(at.queue, at.taken), "message");
    Clock posted = at.receivableSince(at.taken);
    int slot = path.layout.place(ring, at.taken);
    int bytes = 1 << ring.logStride();
    path.access(new Span(who, posted, chain, number).access(Access.Kind.FETCH, slot, bytes));
    Span span = new Span(who, from.and(posted), chain, number);
    try {
      scatter(path.codes(slot, bytes), payload, span);
      at.arrivals = number;
      at.received = at.received.and(arrived).and(posted).with(chain, number);
      at.passReceive();
      completed(at.queue.receiveCq(), chain, at.received, who);
    } catch (IllegalRequest refused) {
      throw new Refused("%s %s", who.entry(), refused.what());
    }
  }

  private void scatter(int[] entry, int[] payload, Span span) {
    int done = 0;
    for (Piece piece : Piece.ofReceive(Symbols.bytes(entry), payload.length)) {
      Symbols.requireKnown(entry, piece.offset(), DataSegment.BYTES, "length, lkey or address");
      int[] part = Arrays.copyOfRange(payload, done, done + piece.length());
      memory.store(
          memory.local(piece.lkey(), Right.LOCAL_WRITE, piece.address(), part.length, span),
          part,
          span);
      done += part.length;
    }
  }

  // ---- memory

  private Region remote(Queue queue, Request request) {
    return path.layout.remote(owner(queue), request);
  }

  /** Place of the remote address of an atomic. */
  private int place(Queue queue, Request request) {
    return path.layout.place(remote(queue, request), request.remoteAddress(), request.length());
  }

  private static Region.Owner owner(Queue queue) {
    return queue.isLoopback() ? Region.Owner.PROGRAM : Region.Owner.CLIENT;
  }

  /** False when the client sends the key of its region, which is not in the image. */
  private static boolean isNamed(int[] entry, Request request) {
    return Symbols.areKnown(entry, request.remoteOffset() + 8, Integer.BYTES);
  }

  /** True for a known address or number of 8 bytes. */
  private static boolean isKnown(int[] entry, int from) {
    return Symbols.areKnown(entry, from, Long.BYTES);
  }

  /** Adds the fetches of entries that a device may read from the start. */
  static void install(Path path) {
    for (ProofQueue at : path.queues) {
      Ring ring = at.queue.send();
      if (!at.queue.managed() && ring.posted() > 0) {
        at.limits.add(new Limit(ring.posted(), path.start));
        int number = 0;
        for (int index : Request.starts(ring)) {
          Actor who = new Actor(at.entry(index), "");
          Span span = new Span(who, path.start, Chain.BEGUN.of(at.number), ++number);
          int ds = Request.ds(ring.slot(index));
          int slots = Math.max(1, ControlSegment.wqebbs(ds));
          for (int i = 0; i < slots && index + i < ring.posted(); i++) {
            int place = path.layout.place(ring, index + i);
            path.access(span.access(Access.Kind.FETCH, place, Math.min(64, 16 * ds - 64 * i)));
          }
        }
      }
      Ring receive = at.queue.receive();
      if (receive != null && receive.posted() > 0) {
        at.receiveLimits.add(new Limit(receive.posted(), path.start));
      }
    }
  }
}
