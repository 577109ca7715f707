package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;

/**
 * Atomics on one word of the peer. Each returns the value that the previous one left, into its own
 * slot: a lost or wrong atomic shows in its slot or in the next.
 */
final class AtomicFlow extends Flow {
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final long LOWER = 0xffff_ffffL;
  private static final long UPPER = 0x1234_5678L << 32;
  private static final long HALVES = 0x8000_0000_8000_0000L;
  private static final long LOWER_START = 0xffff_fff0L;

  private final MemoryRegion word;
  private final LocalWindow window;
  private final Contents contents;
  private final Requests requests;
  private final long address;
  private final int rkey;
  private final int lkey;
  private long first;

  /** The contents of the word. */
  @FunctionalInterface
  private interface Contents {
    /**
     * The value before an atomic of a round.
     *
     * @param first sequence number of the round's first atomic
     */
    long before(long first, int index);
  }

  /**
   * Posts requests. Each implementation has its own loop, so that the JIT compiler specializes it.
   */
  @FunctionalInterface
  private interface Requests {
    /** Posts {@code count} requests for the round's atomics from {@code index} on. */
    void post(AtomicFlow flow, int index, int count);
  }

  private AtomicFlow(
      Source source,
      ProtectionDomain domain,
      LocalWindow window,
      Contents contents,
      Requests requests) {
    super(source, null);
    this.window = window;
    this.contents = contents;
    this.requests = requests;
    word = domain.allocate(Long.BYTES, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
    address = word.address();
    rkey = word.rkey();
    lkey = window.region().lkey();
  }

  /** Compare-and-swaps, each from the value that the previous one left to the next value. */
  static AtomicFlow compareSwap(Source source, ProtectionDomain domain, LocalWindow window) {
    Requester requester = source.requester();
    return new AtomicFlow(
        source,
        domain,
        window,
        (first, i) -> (first + i) * SPREAD,
        (flow, index, count) -> {
          long before = flow.before(index);
          for (int i = index; i < index + count; i++) {
            long after = flow.before(i + 1);
            flow.end(
                requester
                    .reliable()
                    .compareAndSwap(flow.address, flow.rkey, before, after)
                    .scatter(window.address(i), flow.lkey),
                i);
            before = after;
          }
        });
  }

  /**
   * Masked compare-and-swaps of the lower half of the word, each from the value that the previous
   * one left to the next value. The operands have wrong upper halves, so that an ignored mask is
   * noticed.
   */
  static AtomicFlow maskedCompareSwap(Source source, ProtectionDomain domain, LocalWindow window) {
    Requester requester = source.requester();
    return new AtomicFlow(
        source,
        domain,
        window,
        (first, i) -> UPPER | (first + i) * SPREAD >>> 32,
        (flow, index, count) -> {
          long before = ~UPPER & flow.before(index);
          for (int i = index; i < index + count; i++) {
            long after = ~UPPER & flow.before(i + 1);
            flow.end(
                requester
                    .reliable()
                    .maskedCompareAndSwap8(flow.address, flow.rkey, before, after, LOWER, LOWER)
                    .scatter(window.address(i), flow.lkey),
                i);
            before = after;
          }
        });
  }

  /** Fetch-and-adds of a number that grows by one with each message. */
  static AtomicFlow fetchAdd(Source source, ProtectionDomain domain, LocalWindow window) {
    Requester requester = source.requester();
    return new AtomicFlow(
        source,
        domain,
        window,
        AtomicFlow::sum,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            flow.end(
                requester
                    .reliable()
                    .fetchAndAdd(flow.address, flow.rkey, flow.first + i + 1)
                    .scatter(window.address(i), flow.lkey),
                i);
          }
        });
  }

  /**
   * Adds a number to both halves of the word; it grows by one with each message. The lower half
   * overflows early: its carry must not reach the upper half.
   */
  static AtomicFlow maskedFetchAdd(Source source, ProtectionDomain domain, LocalWindow window) {
    Requester requester = source.requester();
    return new AtomicFlow(
        source,
        domain,
        window,
        (first, i) -> sum(first, i) << 32 | sum(first, i) + LOWER_START & LOWER,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            long number = flow.first + i + 1 & LOWER;
            flow.end(
                requester
                    .reliable()
                    .maskedFetchAndAdd8(flow.address, flow.rkey, number << 32 | number, HALVES)
                    .scatter(window.address(i), flow.lkey),
                i);
          }
        });
  }

  /** The sum of the first {@code count} addends: first + 1, first + 2, … */
  private static long sum(long first, int count) {
    return count * first + (long) count * (count + 1) / 2;
  }

  private long before(int index) {
    return contents.before(first, index);
  }

  @Override
  void begin(long firstSequence) {
    first = firstSequence;
    window.poison();
    word.segment().set(ValueLayout.JAVA_LONG, 0, before(0));
  }

  @Override
  void post(int index, int count) {
    requests.post(this, index, count);
  }

  @Override
  boolean isGood() {
    boolean good = word.segment().get(ValueLayout.JAVA_LONG, 0) == before(target());
    for (int i = 0; i < target(); i++) {
      good &= window.region().segment().get(ValueLayout.JAVA_LONG, window.offset(i)) == before(i);
    }
    return good;
  }

  @Override
  boolean copy() {
    // An atomic changes eight bytes in place, which is not a copy.
    return false;
  }
}
