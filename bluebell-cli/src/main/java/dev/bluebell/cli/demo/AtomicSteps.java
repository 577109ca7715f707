package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.LONG;

import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.Bits128;
import java.lang.foreign.ValueLayout;

/** Atomics on 8 and 16 bytes of the peer. */
final class AtomicSteps {
  private static final long WORD = 64;

  private AtomicSteps() {}

  static String compareAndSwap(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    right.segment().set(ValueLayout.JAVA_LONG, WORD, 41);
    stage.start();
    swap(left, right, 41, 42);
    Check.equal("the value before", 41L, landed(left));
    swap(left, right, 41, 43);
    stage.stop();
    Check.equal("the value that was not swapped", 42L, landed(left));
    Check.equal("the word", 42L, right.segment().get(ValueLayout.JAVA_LONG, WORD));
    return "2 x 8 B";
  }

  private static void swap(Side left, Side right, long compare, long swap) {
    land(left, left.queuePair().compareAndSwap(right.remote(WORD), compare, swap));
  }

  /** Performs a started atomic; its result lands at the start of the memory. */
  private static void land(Side side, AtomicScatter atomic) {
    atomic.scatter(side.region(), 0).signaled(0);
    side.ringAndAwait();
  }

  /** One mask chooses what is compared, and another what is swapped. */
  static String maskedSwap(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    right.segment().set(ValueLayout.JAVA_INT, WORD, 0x1234_5678);
    stage.start();
    land(
        left,
        left.queuePair()
            .maskedCompareAndSwap4(
                right.remote(WORD), 0x0034_0000, 0xab00_cd00, 0x00ff_0000, 0xff00_ff00));
    stage.stop();
    int before = Integer.reverseBytes(left.segment().get(ValueLayout.JAVA_INT, 0));
    Check.equal("the value before, which comes big-endian", 0x1234_5678, before);
    Check.equal("the word", 0xab34_cd78, right.segment().get(ValueLayout.JAVA_INT, WORD));
    return "4 B";
  }

  private static long landed(Side side) {
    return side.segment().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Both sides add to one word at the same time, and nothing is lost. */
  static String fetchAndAdd(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    int each = 100;
    stage.start();
    for (int i = 0; i < each; i++) {
      add(left, right, 1);
      add(right, right, 1_000_000);
      left.await();
      right.await();
    }
    stage.stop();
    long expected = each + each * 1_000_000L;
    Check.equal("the sum", expected, right.segment().get(ValueLayout.JAVA_LONG, WORD));
    return "200 x 8 B";
  }

  private static void add(Side from, Side word, long value) {
    from.queuePair().fetchAndAdd(word.remote(WORD), value).scatter(from.region(), 0).signaled(0);
    from.queuePair().ringDoorbell();
  }

  /**
   * Masks choose the bits that change, and where a carry stops. In 16 bytes, the high half comes
   * first.
   */
  static String masked(Stage stage) {
    Pair pair = stage.pair(builder -> builder.maxGather(3));
    Side left = pair.left();
    Side right = pair.right();
    right.segment().set(ValueLayout.JAVA_LONG, WORD, 0x0000_0001_ffff_fff0L);
    stage.start();
    land(left, left.queuePair().fetchAndOr8(right.remote(WORD), 0xf));
    Check.equal("the word before OR", 0x0000_0001_ffff_fff0L, landed(left));
    land(
        left,
        left.queuePair()
            .maskedFetchAndAdd8(
                right.remote(WORD), 0x0000_0001_0000_0001L, 0x8000_0000_8000_0000L));
    Check.equal("the word after OR", 0x0000_0001_ffff_ffffL, landed(left));
    long sum = right.segment().get(ValueLayout.JAVA_LONG, WORD);
    Check.equal("the halves", 0x0000_0002_0000_0000L, sum);
    right.segment().set(ValueLayout.JAVA_LONG, WORD, 0);
    right.segment().set(ValueLayout.JAVA_LONG, WORD + 8, 1000);
    land(
        left,
        left.queuePair()
            .maskedFetchAndAdd16(right.remote(WORD), new Bits128(0, 234), Bits128.ZERO));
    stage.stop();
    Check.equal("the high half", 0L, right.segment().get(ValueLayout.JAVA_LONG, WORD));
    Check.equal("the low half", 1234L, right.segment().get(ValueLayout.JAVA_LONG, WORD + 8));
    Check.equal("the low half before", 1000L, left.segment().get(LONG, 8));
    return "2 x 8 B, 16 B";
  }
}
