package dev.bluebell.litmus;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A litmus test: two threads that act at the same time, over and over, starting each round as
 * nearly together as two processors can. The number of rounds bounds it, and rounds need no state
 * of their own, so there can be many even over device memory. On busy processors the two threads
 * seldom run at the same time and wait long for each other: then time bounds it.
 *
 * <p>With one processor nothing happens at the same time, so the test is skipped.
 */
public final class Duel {
  /** Several times the number of rounds that it took to see a missing fence on x86-64. */
  private static final int ROUNDS = 50_000;

  /** Delays that {@link #delay} cycles through. */
  public static final int DELAYS = 64;

  private static final int SPINS_BEFORE_YIELD = 300;
  private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The action of one side in a round. */
  public interface Side {
    void act(int round);
  }

  private final AtomicInteger arrivals = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  // Written before a meeting, read after it.
  private boolean ended;

  private Duel() {}

  /** The system property {@code bluebell.litmus.rounds} asks for more than a build runs. */
  private static int rounds() {
    return Integer.getInteger("bluebell.litmus.rounds", ROUNDS);
  }

  /** True when a test without a requested number of rounds has run for long. */
  public static boolean isEnough(long startNanos) {
    return System.nanoTime() - startNanos > ENOUGH_NANOS
        && System.getProperty("bluebell.litmus.rounds") == null;
  }

  /**
   * Runs all rounds.
   *
   * @param judge checks the result of a round, after both sides are done
   */
  public static void run(Side left, Side right, Side judge) throws InterruptedException {
    assumeSeveralProcessors();
    Duel duel = new Duel();
    Thread opponent = Thread.ofPlatform().name("duel").start(() -> duel.take(right, round -> {}));
    long start = System.nanoTime();
    duel.take(
        left,
        round -> {
          judge.act(round);
          duel.ended = isEnough(start);
        });
    opponent.join();
    Throwable found = duel.failure.get();
    if (found != null) {
      throw new AssertionError(found.getMessage(), found);
    }
  }

  /** Delays one side, by a different time in each round. */
  public static void delay(int round) {
    for (int i = round % DELAYS; i > 0; i--) {
      Thread.onSpinWait();
    }
  }

  public static void assumeSeveralProcessors() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "there is only one processor");
  }

  private void take(Side side, Side judge) {
    int rounds = rounds();
    try {
      int meetings = 0;
      for (int round = 0; round < rounds && !ended; round++) {
        meet(++meetings);
        side.act(round);
        meet(++meetings);
        judge.act(round);
        meet(++meetings);
      }
    } catch (RuntimeException | AssertionError e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Waits until both sides have come here this many times. */
  private void meet(int meetings) {
    arrivals.getAndIncrement();
    for (int spins = 0; arrivals.get() < 2 * meetings; spins++) {
      if (failure.get() != null) {
        throw new IllegalStateException("the other side failed");
      }
      if (spins < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }
}
