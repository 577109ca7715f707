package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import dev.bluebell.verifier.Symbols.Equality;
import java.util.ArrayList;
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

  /** The memory that requests access. */
  ProofMemory memory() {
    return memory;
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
    int chain = Chain.BEGUN.of(at.number);
    int number = at.requests + 1;
    Clock since = path.start;
    int slots = request.wqebbs();
    for (int i = 0; i < slots; i++) {
      Clock readable = at.readableSince(at.head + i);
      since = since.and(readable);
      int length = Math.min(64, request.bytes().length - 64 * i);
      int place = EntryReader.place(path, at.queue.send(), at.head + i);
      path.access(
          new Access(who, true, true, false, place, place + length, readable, chain, number));
    }
    Clock begun = at.begun.and(since).and(awaited);
    if (rules.habits().window() > 0) {
      begun = begun.and(ProofQueue.before(at.finished, at.head + slots - rules.habits().window()));
    }
    if (rules.habits().fetches() > 0 && request.isAnswered()) {
      begun = begun.and(ProofQueue.before(at.fetched, at.fetches + 1L - rules.habits().fetches()));
    }
    if (!request.isEnable() || rules.fencedEnables()) {
      if (request.isStronglyFenced()) {
        begun = begun.and(at.complete);
      } else if (request.isFenced()) {
        begun = begun.and(at.fenced);
      }
      if (request.isSmallFenced()) {
        begun = begun.and(at.transposed);
      }
    }
    if (request.hasFence() || request.isKeyChange()) {
      begun = begun.and(at.keyed);
    }
    if (request.isValueWait()) {
      begun =
          await(request, begun, new Access(who, false, true, false, 0, 0, begun, chain, number));
    }
    begun = begun.with(chain, number);
    at.begun = begun;
    long index = at.head;
    at.requests = number;
    at.pass(slots);
    Clock done = begun;
    if (request.isEnable()) {
      enable(at, request, who);
    } else if (request.isTransposition()) {
      done = local.transpose(at, reader.codes(), request, who);
    } else if (request.isKeyChange()) {
      done = local.changeKey(at, reader.codes(), request, who);
    } else if (request.isPosted()) {
      done = write(at, reader.codes(), request, who);
    } else if (request.isAnswered()) {
      done = fetch(at, reader.codes(), request, who, outcome);
    }
    at.complete = at.complete.and(done).with(Chain.COMPLETE.of(at.number), number);
    if (request.isAnswered()) {
      // Only a device with this habit makes a response visible after earlier transpositions.
      at.fenced =
          rules.habits().landsInOrder()
              ? at.complete
              : done.with(Chain.COMPLETE.of(at.number), number);
      if (rules.habits().fetches() > 0) {
        at.fetched.add(new Limit(at.fetches++, at.complete));
      }
    }
    if (rules.habits().window() > 0) {
      at.finished.add(new Limit(index, at.complete));
    }
    if (request.isSignalled()) {
      completed(at.queue.sendCq(), Chain.COMPLETE.of(at.number), at.complete, who);
    }
    return Result.DONE;
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

  private Clock await(Request request, Clock since, Access reading) {
    int place = ValueWaits.place(path.layout, request);
    path.log.enter(reading.at(place, place + Long.BYTES));
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
    if (target.enabler != null && !at.begun.covers(target.enablerChain, target.enablerCount)) {
      throw new Refused(
          "%s and %s enable %s, and nothing determines which is first",
          target.enabler, who, target.name());
    }
    long ahead = request.maxIndex() - target.limit() & 0xffff;
    if (ahead >= 0x8000) {
      throw new IllegalRequest(
          "enables %s up to index %d, although it is already enabled up to index %d",
          target.name(), request.maxIndex(), target.limit() & 0xffff);
    }
    if (ahead > 0) {
      target.limits.add(new Limit(target.limit() + ahead, at.begun));
      target.enabler = who;
      target.enablerChain = Chain.BEGUN.of(at.number);
      target.enablerCount = at.requests;
    }
  }

  // ---- WRITE and SEND

  private Clock write(ProofQueue at, int[] entry, Request request, Actor who) {
    int chain = Chain.WRITTEN.of(at.number);
    int number = at.requests;
    int[] payload = gather(at, entry, request, who);
    Clock inOrder = at.begun.and(at.written);
    // Only the last packet of a message is always placed in order; no packet of a WRITE with
    // immediate is.
    boolean isOnePacket = request.isMessage() && payload.length <= LEAST_MTU;
    Clock from = rules.placesInOrder() || isOnePacket ? inOrder : at.begun;
    Clock written = inOrder.with(chain, number);
    if (request.hasRemoteAddress() && payload.length > 0 && isNamed(entry, request)) {
      Access access = new Access(who, false, false, true, 0, 0, from, chain, number);
      if (isKnown(entry, request.remoteOffset())) {
        memory.store(
            memory.remote(owner(at.queue), request, payload.length, access), payload, access);
      } else {
        memory.scribble(remote(at.queue, request), access);
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
        int chain = Chain.WRITTEN.of(at.number);
        int[] codes =
            memory.load(
                piece,
                entry,
                new Access(who, false, true, false, 0, 0, at.begun, chain, at.requests));
        System.arraycopy(codes, 0, payload, done, length);
      }
      done += length;
    }
    return payload;
  }

  // ---- READ and atomics

  private Clock fetch(ProofQueue at, int[] entry, Request request, Actor who, boolean outcome) {
    int chain = Chain.ANSWERED.of(at.number);
    int number = at.requests;
    Clock from = at.begun.and(at.written).and(at.answered);
    int length = request.length();
    int[] payload;
    boolean isShared = false;
    if (!isKnown(entry, request.remoteOffset())) {
      payload = memory.unknown(length);
      fetchAnything(
          remote(at.queue, request),
          new Access(who, false, true, request.isAtomic(), 0, 0, from, chain, number));
    } else if (!request.isAtomic()) {
      Access access = new Access(who, false, true, false, 0, 0, from, chain, number);
      payload = memory.load(memory.remote(owner(at.queue), request, length, access), access);
    } else {
      Region region = remote(at.queue, request);
      int place = path.layout.place(region, request.remoteAddress(), length);
      payload = path.codes(place, length);
      if (request.remoteAddress() % length != 0) {
        throw new IllegalRequest("is an atomic on 0x%x", request.remoteAddress());
      }
      Atomics atomics = new Atomics(path.symbols, request, entry);
      int[] result =
          request.isCompareAndSwap()
              ? outcome ? atomics.swapped(payload) : payload
              : atomics.sum(payload, outcome);
      Access access =
          new Access(who, false, true, true, place, place + length, from, chain, number);
      memory.store(place, result, access.adding(request.isSum()), request.swapOrAdd());
      isShared = path.isSum(place);
      if (!request.isCompareAndSwap()) {
        path.numbers.add(place, request);
      }
    }
    Clock answered = from.with(chain, number);
    at.answered = answered;
    Clock landing = rules.habits().landsInOrder() ? answered.and(at.complete) : answered;
    Access access =
        new Access(who, false, false, true, 0, 0, landing, Chain.COMPLETE.of(at.number), number);
    scatter(entry, request, response(request, payload), access.adding(isShared));
    return answered;
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

  private void fetchAnything(Region region, Access access) {
    if (access.write()) {
      memory.scribble(region, access);
    } else {
      path.access(memory.whole(region, access));
    }
  }

  /**
   * Writes a response. The response of an access that adds is uncertain, since it is the original
   * value of a sum.
   */
  private void scatter(int[] entry, Request request, int[] payload, Access access) {
    int done = 0;
    for (Piece piece : request.pieces()) {
      int length = piece.length();
      if (isKnown(entry, piece.offset() + 8)) {
        int[] part = Arrays.copyOfRange(payload, done, done + length);
        Access writing = access.adding(false);
        List<Stretch> to =
            memory.local(piece.lkey(), Right.LOCAL_WRITE, piece.address(), length, writing);
        memory.store(to, part, writing);
        if (access.adds()) {
          to.forEach(
              each -> path.log.unsettle(access.at(each.place(), each.place() + each.length())));
        }
      } else {
        memory.scribble(path.layout.sink(piece.lkey()), access.adding(false));
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
    int length = request.length();
    int place = path.layout.place(remote(at.queue, request), request.remoteAddress(), length);
    int[] old = path.codes(place, length);
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
    try {
      receive(at, memory.unknown(client.entry.messageBytes()), from, from);
    } catch (IllegalRequest refused) {
      throw new Refused("receive entry %d of %s %s", at.taken & 0xffff, at.name(), refused.what());
    }
    return true;
  }

  private void receive(ProofQueue at, int[] payload, Clock from, Clock arrived) {
    Ring ring = Objects.requireNonNull(at.queue.receive());
    int chain = Chain.RECEIVED.of(at.number);
    int number = at.arrivals + 1;
    Actor who =
        new Actor("receive entry %d of %s".formatted(at.taken & 0xffff, at.name()), "message");
    Clock posted = at.receivableSince(at.taken);
    int slot = EntryReader.place(path, ring, at.taken);
    int bytes = 1 << ring.logStride();
    path.access(new Access(who, true, true, false, slot, slot + bytes, posted, chain, number));
    int[] entry = path.codes(slot, bytes);
    int done = 0;
    for (int i = 0; i < bytes && done < payload.length; i += DataSegment.BYTES) {
      long first = number(entry, i, "length or lkey");
      if (DataSegment.lkey(first) == DataSegment.INVALID_LKEY
          && DataSegment.byteCount(first) == 0) {
        break;
      }
      int length = (int) Math.min(DataSegment.length(first), payload.length - done);
      int[] part = Arrays.copyOfRange(payload, done, done + length);
      Access access = new Access(who, false, false, true, 0, 0, from.and(posted), chain, number);
      memory.store(
          memory.local(
              DataSegment.lkey(first),
              Right.LOCAL_WRITE,
              number(entry, i + 8, "address"),
              length,
              access),
          part,
          access);
      done += length;
    }
    if (done < payload.length) {
      throw new IllegalRequest("has no room for a message of %d bytes", payload.length);
    }
    at.arrivals = number;
    at.received = at.received.and(arrived).and(posted).with(chain, number);
    at.passReceive();
    completed(at.queue.receiveCq(), chain, at.received, who);
  }

  private static long number(int[] entry, int at, String what) {
    long number = 0;
    for (int i = 0; i < 8; i++) {
      if (!Symbols.isKnown(entry[at + i])) {
        throw new IllegalRequest("takes its %s from data that may be anything", what);
      }
      number = number << 8 | entry[at + i];
    }
    return number;
  }

  // ---- memory

  private Region remote(Queue queue, Request request) {
    return path.layout.remote(owner(queue), request);
  }

  private static Region.Owner owner(Queue queue) {
    return queue.isLoopback() ? Region.Owner.PROGRAM : Region.Owner.CLIENT;
  }

  /** False when the client sends the key of its region, which is not in the image. */
  private static boolean isNamed(int[] entry, Request request) {
    return isKnown(entry, request.remoteOffset() + 8, 4);
  }

  static boolean isKnown(int[] entry, int from) {
    return isKnown(entry, from, 8);
  }

  static boolean isKnown(int[] entry, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (!Symbols.isKnown(entry[i])) {
        return false;
      }
    }
    return true;
  }

  /** Adds the fetches of entries that a device may read from the start. */
  static void install(Path path) {
    for (ProofQueue at : path.queues) {
      Ring ring = at.queue.send();
      if (!at.queue.managed() && ring.posted() > 0) {
        at.limits.add(new Limit(ring.posted(), path.start));
        List<Access> accesses = new ArrayList<>();
        int number = 0;
        for (int index = 0; index < ring.posted(); number++) {
          byte[] slot = ring.slot(index);
          int slots = Math.max(1, ControlSegment.wqebbs(Request.ds(slot)));
          for (int i = 0; i < slots && index + i < ring.posted(); i++) {
            int place = EntryReader.place(path, ring, index + i);
            accesses.add(
                new Access(
                    new Actor(at.entry(index), ""),
                    true,
                    true,
                    false,
                    place,
                    place + Math.min(64, 16 * Request.ds(slot) - 64 * i),
                    path.start,
                    Chain.BEGUN.of(at.number),
                    number + 1));
          }
          index += slots;
        }
        accesses.forEach(path::access);
      }
      Ring receive = at.queue.receive();
      if (receive != null && receive.posted() > 0) {
        at.receiveLimits.add(new Limit(receive.posted(), path.start));
      }
    }
  }
}
