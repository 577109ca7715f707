package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaPrecedence;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The thread of a device works, sleeps when there is nothing to do, and wakes. It runs in real
 * time, because it reads the machine's clock; tests wait for its effects without a limit.
 */
@Timeout(60)
class EngineThreadTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private final Engine engine = new Engine(System::nanoTime, new DeviceTime(), null);

  /** Work that ends after a number of turns. */
  private static final class Countdown extends Work {
    private final CountDownLatch left;

    Countdown(int turns) {
      left = new CountDownLatch(turns);
    }

    @Override
    protected int turn() {
      left.countDown();
      return (int) left.getCount();
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  /** A place that records when it is polled before a rest. */
  private static final class Rest implements Polled {
    private final CountDownLatch rests = new CountDownLatch(1);

    @Override
    public int poll() {
      return 0;
    }

    @Override
    public int pollThoroughly() {
      rests.countDown();
      return 0;
    }

    @Override
    public boolean isEmpty() {
      return false;
    }
  }

  /** Precedence that records when it is taken and given up. */
  private static final class Means implements HcaPrecedence, HcaPrecedence.Held {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch givenUp = new CountDownLatch(1);

    @Override
    public Optional<Held> take() {
      taken.countDown();
      return Optional.of(this);
    }

    @Override
    public void watch() {}

    @Override
    public void move() {}

    @Override
    public void giveUp() {
      givenUp.countDown();
    }
  }

  /** A place at which a thread with precedence spins until it loses it. */
  private record Trap(Means means) implements Polled {
    @Override
    public int poll() {
      while (means.taken.getCount() == 0 && means.givenUp.getCount() > 0) {
        Thread.onSpinWait();
      }
      return 0;
    }

    @Override
    public int pollThoroughly() {
      return poll();
    }

    @Override
    public boolean isEmpty() {
      return false;
    }
  }

  private void activate(Work work) {
    engine.enter();
    engine.activate(work);
    engine.exit();
  }

  @Test
  void theThreadGivesTurns() throws InterruptedException {
    Countdown work = new Countdown(100);
    try (EngineThread thread = new EngineThread(engine, "test", LONG, LONG, Sleep.PARKED)) {
      thread.start();
      activate(work);
      work.left.await();
    }
    assertThat(work.left.getCount()).isZero();
  }

  @Test
  void anIdleThreadLooksEverywhereBeforeItSleepsAndWakes() throws InterruptedException {
    Rest rest = new Rest();
    engine.poll(rest);
    Countdown work = new Countdown(3);
    try (EngineThread thread = new EngineThread(engine, "test", 0, LONG, Sleep.PARKED)) {
      thread.start();
      rest.rests.await();
      activate(work);
      while (work.left.getCount() > 0) {
        thread.wake();
        Thread.onSpinWait();
      }
    }
    assertThat(work.left.getCount()).isZero();
  }

  @Test
  void aStepThatDoesNotEndLosesItsPrecedence() throws InterruptedException {
    Means means = new Means();
    engine.poll(new Trap(means));
    engine.enter();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      assertThat(engine.open()).isNotNull();
    }
    engine.exit();
    try (EngineThread thread = new EngineThread(engine, "test", 0, LONG, Sleep.PARKED)) {
      thread.precede(means);
      thread.start();
      try {
        assertThat(means.givenUp.await(30, TimeUnit.SECONDS)).isTrue();
      } finally {
        means.giveUp();
      }
    }
  }

  @Test
  void aClosedThreadNoLongerRunsTheEngine() throws InterruptedException {
    EngineThread thread = new EngineThread(engine, "test", 0, LONG, Sleep.PARKED);
    thread.start();
    thread.close();
    Countdown work = new Countdown(1);
    activate(work);
    assertThat(work.left.await(0, TimeUnit.NANOSECONDS)).isFalse();
    assertThat(engine.tryEnter()).isTrue();
  }

  @Test
  void closingKeepsAnInterrupt() {
    EngineThread thread = new EngineThread(engine, "test", 0, LONG, Sleep.PARKED);
    thread.start();
    Thread.currentThread().interrupt();
    thread.close();
    assertThat(Thread.interrupted()).isTrue();
  }
}
