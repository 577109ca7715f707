package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;
import dev.bluebell.lab.rxe.End.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The exchanges between the two devices. */
final class Exchanges {
  private static final int[] SIZES = {0, 1, 3, 1023, 1024, 1025, 4097, 100_000};

  /**
   * Sizes of unacknowledged messages: limited by what the sockets of the network buffer while a
   * processor is busy.
   */
  private static final int[] UNRELIABLE_SIZES = {0, 1, 3, 1024, 1025, 40_000};

  private static final int[] DATAGRAMS = {0, 1, 33, 1024};

  /** Offset at which messages arrive; other memory begins at 0. */
  private static final int INBOX = 1 << 19;

  private static final long GUARD = 0x5a5a_a5a5_5a5a_a5a5L;
  private static final int IMMEDIATE = 0xdead_beef;
  private static final int WRONG_KEY_BITS = 0x5500;
  private static final int LAST_PSNS = 0xfffffa;

  // Number of messages in exchanges with losses.
  private static final int MESSAGES = 60;
  private static final int MESSAGE = 5000;

  private Exchanges() {}

  /** Exchanges over a network without losses. */
  static List<Exchange> all() {
    List<Exchange> all = new ArrayList<>();
    for (int mtu : new int[] {Settings.SMALL_MTU, Settings.LARGE_MTU}) {
      for (Verb verb : Verb.values()) {
        all.add(messages(Settings.of(Service.RC, mtu), verb, SIZES));
      }
    }
    all.add(new Exchange("atomics", Settings.rc(), Exchanges::atomics));
    all.add(new Exchange("64 requests of all kinds in flight", Settings.rc(), Exchanges::mixture));
    all.add(
        new Exchange(
            "PSNs that wrap", Settings.rc().withFirstPsn(LAST_PSNS), Exchanges::roundTheCorner));
    all.add(new Exchange("receives that come late (RNR)", Settings.rc(), Exchanges::lateReceive));
    all.add(
        new Exchange(
            "receives that never come (RNR)",
            Settings.rc().withTimers(14, 7, 1),
            Exchanges::noReceive));
    for (Verb verb : List.of(Verb.WRITE, Verb.READ)) {
      all.add(
          new Exchange(
              "%s with a wrong rkey".formatted(verb),
              Settings.rc(),
              (from, to) -> badKey(from, to, verb)));
      all.add(
          new Exchange(
              "%s beyond the region".formatted(verb),
              Settings.rc(),
              (from, to) -> outOfBounds(from, to, verb)));
    }
    all.add(new Exchange("atomic with a wrong rkey", Settings.rc(), Exchanges::badAtomic));
    all.add(new Exchange("atomic that is not aligned", Settings.rc(), Exchanges::misaligned));
    all.add(new Exchange("SEND longer than the receive", Settings.rc(), Exchanges::tooLong));
    for (Verb verb : List.of(Verb.SEND, Verb.SEND_IMM, Verb.WRITE, Verb.WRITE_IMM)) {
      all.add(messages(Settings.of(Service.UC, Settings.SMALL_MTU), verb, UNRELIABLE_SIZES));
    }
    for (Verb verb : List.of(Verb.SEND, Verb.SEND_IMM)) {
      all.add(messages(Settings.of(Service.UD, Settings.SMALL_MTU), verb, DATAGRAMS));
    }
    return all;
  }

  /** Exchanges over a network that loses packets. */
  static List<Exchange> withLosses() {
    List<Exchange> all = new ArrayList<>();
    for (Verb verb : Verb.values()) {
      all.add(
          new Exchange(
              "%d × %s of %,d bytes".formatted(MESSAGES, verb, MESSAGE),
              Settings.rc(),
              (from, to) -> train(from, to, verb)));
    }
    all.add(new Exchange("%d × FETCH_ADD".formatted(MESSAGES), Settings.rc(), Exchanges::counting));
    return all;
  }

  private static Exchange messages(Settings settings, Verb verb, int... sizes) {
    return new Exchange(
        "%s of %d to %,d bytes, path MTU %d"
            .formatted(verb, sizes[0], sizes[sizes.length - 1], settings.mtu()),
        settings,
        (from, to) -> {
          for (int i = 0; i < sizes.length; i++) {
            message(from, to, settings.service(), verb, sizes[i], i);
          }
        });
  }

  private static void message(End from, End to, Service service, Verb verb, int bytes, int seed) {
    int head = service == Service.UD ? End.DATAGRAM_HEADER : 0;
    int data = INBOX + head;
    if (verb == Verb.READ) {
      to.fill(INBOX, bytes, seed);
      from.put(bytes, GUARD);
      from.post(seed, verb, 0, bytes, to.address(INBOX), to.rkey(), 0);
      one(from, seed, 0);
      same(from, 0, bytes, seed);
      require(from.get(bytes) == GUARD, "bytes after the READ's were changed");
      return;
    }
    boolean hasImmediate = verb == Verb.SEND_IMM || verb == Verb.WRITE_IMM;
    boolean completes = verb != Verb.WRITE;
    from.fill(0, bytes, seed);
    to.fill(INBOX, head + bytes, seed + 100);
    to.put(data + bytes, GUARD);
    if (completes) {
      to.receive(1000 + seed, INBOX, head + bytes);
    }
    from.post(seed, verb, 0, bytes, to.address(INBOX), to.rkey(), IMMEDIATE + seed);
    one(from, seed, 0);
    if (completes) {
      Done received = one(to, 1000 + seed, 0);
      require(received.isReceive(), received.text());
      require(
          received.bytes() == head + bytes,
          "%s: it has %d bytes, not %d".formatted(received.text(), received.bytes(), head + bytes));
      require(
          received.immediate() == (hasImmediate ? IMMEDIATE + seed : 0),
          "%s: immediate 0x%x".formatted(received.text(), received.immediate()));
      if (service == Service.UD) {
        namesBoth(to, from.gid(), to.gid());
      }
    } else if (service == Service.UC) {
      // No completion reports the arrival.
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      while (!to.differs(data, bytes, seed).isEmpty() && System.nanoTime() - end < 0) {
        pause(1);
      }
    }
    same(to, data, bytes, seed);
    require(to.get(data + bytes) == GUARD, "bytes after the message were changed");
  }

  /** Checks the header before a datagram, which contains both addresses of its IP header. */
  private static void namesBoth(End end, Gid source, Gid destination) {
    if (source.high() == 0) {
      equal("addresses", bytes(end, 32), source.low() << 32 | destination.low() & 0xffffffffL);
    } else {
      equal("source, high", bytes(end, 8), source.high());
      equal("source, low", bytes(end, 16), source.low());
      equal("destination, high", bytes(end, 24), destination.high());
      equal("destination, low", bytes(end, 32), destination.low());
    }
  }

  private static long bytes(End end, int at) {
    return Long.reverseBytes(end.get(INBOX + at));
  }

  private static void atomics(End from, End to) {
    to.put(64, 40);
    to.put(72, GUARD);
    from.fetchAndAdd(1, 0, to.address(64), to.rkey(), 2);
    one(from, 1, 0);
    equal("fetched", from.get(0), 40);
    equal("sum", to.get(64), 42);
    from.compareAndSwap(2, 8, to.address(64), to.rkey(), 42, -7);
    one(from, 2, 0);
    equal("compared", from.get(8), 42);
    equal("swapped", to.get(64), -7);
    from.compareAndSwap(3, 16, to.address(64), to.rkey(), 42, 1);
    one(from, 3, 0);
    equal("compared in vain", from.get(16), -7);
    equal("not swapped", to.get(64), -7);
    from.fetchAndAdd(4, 24, to.address(64), to.rkey(), Long.MIN_VALUE);
    one(from, 4, 0);
    equal("sum that wraps", to.get(64), Long.MAX_VALUE - 6);
    equal("the word after it", to.get(72), GUARD);
  }

  private static void mixture(End from, End to) {
    int bytes = 3000;
    to.put(0, 0);
    for (int i = 0; i < 16; i++) {
      to.receive(100 + i, INBOX + i * 4096, bytes);
      from.fill(8192 + i * 4096, bytes, i);
      to.fill(8192 + i * 4096, bytes, i + 50);
    }
    for (int i = 0; i < 16; i++) {
      int at = 8192 + i * 4096;
      from.post(4L * i, Verb.SEND, at, bytes, 0, 0, 0);
      from.post(4L * i + 1, Verb.READ, INBOX + i * 4096, bytes, to.address(at), to.rkey(), 0);
      from.post(
          4L * i + 2, Verb.WRITE, at, bytes, to.address(INBOX + (16 + i) * 4096), to.rkey(), 0);
      from.fetchAndAdd(4L * i + 3, 8 * i, to.address(0), to.rkey(), 1);
    }
    List<Done> done = from.await(64);
    for (int i = 0; i < 64; i++) {
      expect(done.get(i), i, 0);
    }
    List<Done> received = to.await(16);
    for (int i = 0; i < 16; i++) {
      expect(received.get(i), 100 + i, 0);
      same(to, INBOX + i * 4096, bytes, i);
      same(to, INBOX + (16 + i) * 4096, bytes, i);
      same(from, INBOX + i * 4096, bytes, i + 50);
      equal("fetched", from.get(8 * i), i);
    }
    equal("sum", to.get(0), 16);
  }

  private static void roundTheCorner(End from, End to) {
    message(from, to, Service.RC, Verb.SEND, 30_000, 1);
    message(from, to, Service.RC, Verb.READ, 30_000, 2);
    message(from, to, Service.RC, Verb.WRITE_IMM, 3, 3);
  }

  private static void lateReceive(End from, End to) {
    for (int bytes : new int[] {10, 5000}) {
      from.fill(0, bytes, bytes);
      from.post(bytes, Verb.SEND, 0, bytes, 0, 0, 0);
      from.post(bytes + 1, Verb.WRITE, 0, bytes, to.address(INBOX + 8192), to.rkey(), 0);
      pause(20);
      to.receive(7, INBOX, bytes);
      one(from, bytes, 0);
      one(from, bytes + 1, 0);
      one(to, 7, 0);
      same(to, INBOX, bytes, bytes);
      same(to, INBOX + 8192, bytes, bytes);
    }
  }

  private static void noReceive(End from, End to) {
    from.post(1, Verb.SEND, 0, 10, 0, 0, 0);
    from.post(2, Verb.SEND, 0, 10, 0, 0, 0);
    one(from, 1, Done.RNR_RETRIES_EXCEEDED);
    one(from, 2, Done.FLUSHED);
  }

  private static void badKey(End from, End to, Verb verb) {
    to.fill(INBOX, 5000, 1);
    from.post(1, verb, 0, 5000, to.address(INBOX), to.rkey() ^ WRONG_KEY_BITS, 0);
    from.post(2, verb, 0, 5000, to.address(INBOX), to.rkey(), 0);
    one(from, 1, Done.REMOTE_ACCESS);
    one(from, 2, Done.FLUSHED);
    same(to, INBOX, 5000, 1);
  }

  private static void outOfBounds(End from, End to, Verb verb) {
    int last = End.MEMORY - 2000;
    to.fill(last, 2000, 1);
    from.post(1, verb, 0, 2001, to.address(last), to.rkey(), 0);
    from.post(2, verb, 0, 1, to.address(last), to.rkey(), 0);
    one(from, 1, Done.REMOTE_ACCESS);
    one(from, 2, Done.FLUSHED);
    same(to, last, 2000, 1);
  }

  private static void badAtomic(End from, End to) {
    to.put(64, 40);
    from.fetchAndAdd(1, 0, to.address(64), to.rkey() ^ WRONG_KEY_BITS, 2);
    one(from, 1, Done.REMOTE_ACCESS);
    equal("not added", to.get(64), 40);
  }

  private static void misaligned(End from, End to) {
    to.put(64, 40);
    if (from instanceof GuestEnd) {
      refusedAtOnce(from, to);
      return;
    }
    from.fetchAndAdd(1, 0, to.address(65), to.rkey(), 2);
    one(from, 1, Done.REMOTE_INVALID_REQUEST);
    equal("not added", to.get(64), 40);
  }

  /** Soft-RoCE does not post requests that cannot succeed. */
  private static void refusedAtOnce(End from, End to) {
    boolean isRefused = false;
    try {
      from.fetchAndAdd(1, 0, to.address(65), to.rkey(), 2);
    } catch (Disagreement e) {
      isRefused = e.toString().contains("Invalid argument");
    }
    require(isRefused, "Soft-RoCE posted an atomic that is not aligned");
  }

  /**
   * By the specification, the responder sends a NAK for an invalid request and completes with a
   * local length error. Soft-RoCE sends a NAK for a remote operational error and completes with a
   * local queue pair error.
   */
  private static void tooLong(End from, End to) {
    boolean isSoftRoce = to instanceof GuestEnd;
    to.receive(7, INBOX, 2000);
    to.put(INBOX + 2000, GUARD);
    from.post(1, Verb.SEND, 0, 5000, 0, 0, 0);
    one(from, 1, isSoftRoce ? Done.REMOTE_OPERATION : Done.REMOTE_INVALID_REQUEST);
    one(to, 7, isSoftRoce ? Done.LOCAL_OPERATION : Done.LOCAL_LENGTH);
    equal("bytes after the receive", to.get(INBOX + 2000), GUARD);
  }

  // ---- with losses

  private static void train(End from, End to, Verb verb) {
    boolean completes = verb != Verb.WRITE && verb != Verb.READ;
    End filled = verb == Verb.READ ? to : from;
    for (int i = 0; i < MESSAGES; i++) {
      filled.fill(i * 8192, MESSAGE, i);
      if (completes) {
        to.receive(100 + i, INBOX + i * 8192, MESSAGE);
      }
    }
    for (int i = 0; i < MESSAGES; i++) {
      if (verb == Verb.READ) {
        from.post(i, verb, INBOX + i * 8192, MESSAGE, to.address(i * 8192), to.rkey(), 0);
      } else {
        from.post(
            i, verb, i * 8192, MESSAGE, to.address(INBOX + i * 8192), to.rkey(), IMMEDIATE + i);
      }
    }
    List<Done> done = from.await(MESSAGES);
    List<Done> received = completes ? to.await(MESSAGES) : List.of();
    End reached = verb == Verb.READ ? from : to;
    for (int i = 0; i < MESSAGES; i++) {
      expect(done.get(i), i, 0);
      same(reached, INBOX + i * 8192, MESSAGE, i);
    }
    for (int i = 0; i < received.size(); i++) {
      expect(received.get(i), 100 + i, 0);
    }
  }

  /** Detects an atomic that is executed twice or not at all. */
  private static void counting(End from, End to) {
    to.put(0, 0);
    for (int i = 0; i < MESSAGES; i++) {
      from.fetchAndAdd(i, 64 + 8 * i, to.address(0), to.rkey(), 1);
    }
    List<Done> done = from.await(MESSAGES);
    for (int i = 0; i < MESSAGES; i++) {
      expect(done.get(i), i, 0);
      equal("fetched", from.get(64 + 8 * i), i);
    }
    equal("sum", to.get(0), MESSAGES);
  }

  // ---- checks

  private static Done one(End end, long id, int status) {
    Done done = end.await(1).getFirst();
    expect(done, id, status);
    return done;
  }

  private static void expect(Done done, long id, int status) {
    require(
        done.status() == status && done.id() == id,
        "status %d of request %d is expected, and it is %d of request %d (%s)"
            .formatted(status, id, done.status(), done.id(), done.text()));
  }

  private static void same(End end, int offset, int bytes, long seed) {
    String differs = end.differs(offset, bytes, seed);
    require(
        differs.isEmpty(),
        "memory of %s at %d, %d bytes: %s".formatted(end.name(), offset, bytes, differs));
  }

  private static void equal(String what, long value, long expected) {
    require(value == expected, "%s: 0x%x, not 0x%x".formatted(what, value, expected));
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new Disagreement(what);
    }
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
