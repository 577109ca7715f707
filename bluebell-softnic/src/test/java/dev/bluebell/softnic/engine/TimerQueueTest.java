package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deadlines fire in order, including moved ones. */
class TimerQueueTest {
  private final TimerQueue timers = new TimerQueue();
  private final List<String> fired = new ArrayList<>();

  private final class Timed extends Work {
    private final String name;
    private long deadline;
    private long next = Long.MAX_VALUE;

    Timed(String name, long deadline) {
      this.name = name;
      this.deadline = deadline;
      timers.schedule(this);
    }

    void moveTo(long newDeadline) {
      deadline = newDeadline;
    }

    @Override
    protected int turn() {
      throw new AssertionError("timers give no turns");
    }

    @Override
    protected long deadline() {
      return deadline;
    }

    @Override
    protected void onTimer() {
      fired.add(name);
      deadline = next;
      next = Long.MAX_VALUE;
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  @Test
  void withoutDeadlinesThereIsNothingToWaitFor() {
    assertThat(timers.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(timers.run(Long.MAX_VALUE - 1)).isZero();
  }

  @Test
  void theNextDeadlineIsOneThatWasNotPutOff() {
    Timed first = new Timed("first", 10);
    Timed ended = new Timed("ended", 15);
    new Timed("second", 20);
    first.moveTo(30);
    ended.moveTo(Long.MAX_VALUE);
    assertThat(timers.next()).isEqualTo(10);
    assertThat(timers.nextDeadline()).isEqualTo(20);
    timers.run(20);
    assertThat(timers.nextDeadline()).isEqualTo(30);
    timers.run(30);
    assertThat(timers.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    assertThat(fired).containsExactly("second", "first");
  }

  @Test
  void aDeadlineOfNeverIsNotKept() {
    Timed never = new Timed("never", Long.MAX_VALUE);
    assertThat(timers.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(never.ranked).isFalse();
  }

  @Test
  void deadlinesComeInTheirOrder() {
    new Timed("c", 30);
    new Timed("a", 10);
    new Timed("b", 20);
    assertThat(timers.next()).isEqualTo(10);
    assertThat(timers.run(20)).isEqualTo(2);
    assertThat(fired).containsExactly("a", "b");
    assertThat(timers.next()).isEqualTo(30);
  }

  @Test
  void aDeadlineComesAtItsNanosecond() {
    new Timed("a", 10);
    assertThat(timers.run(9)).isZero();
    assertThat(timers.run(10)).isEqualTo(1);
    assertThat(timers.run(1000)).isZero();
  }

  @Test
  void anEarlierDeadlineReplacesALaterOne() {
    Timed work = new Timed("a", 100);
    work.moveTo(10);
    timers.schedule(work);
    assertThat(timers.next()).isEqualTo(10);
    assertThat(timers.run(10)).isEqualTo(1);
    assertThat(timers.next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aLaterDeadlineIsNoticedWhenTheEarlierOneComes() {
    Timed work = new Timed("a", 10);
    work.moveTo(100);
    timers.schedule(work);
    assertThat(timers.next()).isEqualTo(10);
    assertThat(timers.run(10)).isZero();
    assertThat(fired).isEmpty();
    assertThat(timers.next()).isEqualTo(100);
    assertThat(timers.run(100)).isEqualTo(1);
  }

  @Test
  void aDeadlineThatWasTakenBackDoesNotCome() {
    Timed work = new Timed("a", 10);
    work.moveTo(Long.MAX_VALUE);
    assertThat(timers.run(10)).isZero();
    assertThat(timers.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(work.ranked).isFalse();
  }

  @Test
  void workWhoseTimerRanMayHaveAnother() {
    Timed work = new Timed("a", 10);
    work.next = 20;
    assertThat(timers.run(15)).isEqualTo(1);
    assertThat(timers.next()).isEqualTo(20);
  }

  @Test
  void theNextDeadlineOfTheSameWorkMayBeDueAtOnce() {
    Timed work = new Timed("a", 10);
    work.next = 12;
    assertThat(timers.run(15)).isEqualTo(2);
    assertThat(fired).containsExactly("a", "a");
  }

  @Test
  void removedWorkIsForgotten() {
    Timed work = new Timed("a", 10);
    new Timed("b", 11);
    timers.remove(work);
    timers.remove(work);
    assertThat(timers.run(20)).isEqualTo(1);
    assertThat(fired).containsExactly("b");
  }

  @Test
  void removedWorkCanBeScheduledAgain() {
    Timed work = new Timed("a", 10);
    timers.remove(work);
    timers.schedule(work);
    assertThat(timers.run(10)).isEqualTo(1);
  }
}
