package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients share the engine's time, however much work each of them has. */
class ClientTurnsTest {
  private static final int CROWD = 2_000;
  private static final int STEPS = 1_000;

  private long now;
  private int clockReads;
  private final Engine engine = new Engine(this::clock, new DeviceTime(), null);

  private long clock() {
    clockReads++;
    return now;
  }

  /** Work of a client, which always has more to do. */
  private final class Part extends Work {
    private long nanos;
    private long effort;
    private boolean ends;
    private int turns;
    private int timers;
    private long deadline = Long.MAX_VALUE;

    Part(Client client, long nanos) {
      belongTo(client);
      this.nanos = nanos;
    }

    Part busy() {
      engine.activate(this);
      return this;
    }

    /** Work that always has an expired deadline. */
    Part timed() {
      deadline = now;
      engine.schedule(this);
      return this;
    }

    /** Work whose turns cause this effort besides the bytes moved. */
    Part causing(long bytes) {
      effort = bytes;
      return this;
    }

    @Override
    protected int turn() {
      turns++;
      now += nanos;
      engine.effort().add(effort);
      return ends ? 0 : 1;
    }

    @Override
    protected long deadline() {
      return deadline;
    }

    @Override
    protected void onTimer() {
      timers++;
      now += nanos;
      deadline = now;
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  private List<Part> crowd(Client client, long nanos) {
    List<Part> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(new Part(client, nanos));
    }
    return crowd;
  }

  private void step(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(engine.step()).isPositive();
    }
  }

  @Test
  void aClientWithTwoThousandWorksGetsNoMoreTurnsThanOneWithOne() {
    List<Part> crowd = crowd(engine.open(), 500);
    crowd.forEach(Part::busy);
    Part single = new Part(engine.open(), 500).busy();
    step(STEPS);
    assertThat(single.turns)
        .isCloseTo(crowd.stream().mapToInt(part -> part.turns).sum(), withPercentage(5));
    assertThat(crowd).as("they take turns with each other").allMatch(part -> part.turns < 9);
  }

  @Test
  void timersOfACrowdAreChargedToItsClient() {
    List<Part> crowd = crowd(engine.open(), 100);
    crowd.forEach(Part::timed);
    Part single = new Part(engine.open(), 100).busy();
    step(STEPS);
    int timers = crowd.stream().mapToInt(part -> part.timers).sum();
    assertThat(single.turns).isCloseTo(timers, withPercentage(5));
  }

  @Test
  void everyTimerOfACrowdRuns() {
    Client client = engine.open();
    List<Part> crowd = crowd(client, 100);
    crowd.forEach(Part::timed);
    Client other = engine.open();
    new Part(other, 100).busy();
    step(STEPS);
    assertThat(crowd).allMatch(part -> part.timers > 0);
  }

  @Test
  void aClientWithLongerTurnsGetsFewerOfThem() {
    Part longOne = new Part(engine.open(), 50_000).busy();
    Part shortOne = new Part(engine.open(), 500).busy();
    step(STEPS);
    assertThat(shortOne.turns).isCloseTo(100 * longOne.turns, withPercentage(5));
  }

  @Test
  void aLongTurnThatMovesMuchPayloadIsChargedInFull() {
    Part longOne = new Part(engine.open(), 60_000_000).causing(32 << 20).busy();
    Part shortOne = new Part(engine.open(), 10_000).busy();
    step(30 * STEPS);
    assertThat(shortOne.turns).isCloseTo(6_000 * longOne.turns, withPercentage(10));
  }

  @Test
  void preemptedTimeIsNotChargedInFull() {
    Part interrupted = new Part(engine.open(), 60_000_000).busy();
    Part shortOne = new Part(engine.open(), 10_000).busy();
    step(STEPS);
    assertThat(shortOne.turns).isCloseTo(500 * interrupted.turns, withPercentage(10));
  }

  @Test
  void unusedTimeOfAClientIsSavedUpToFourMilliseconds() {
    Part early = new Part(engine.open(), 500).busy();
    Part late = new Part(engine.open(), 500);
    step(20 * STEPS);
    int before = early.turns;
    long since = now;
    late.busy();
    step(10 * STEPS);
    long saved = (late.turns - (early.turns - before)) * 500L;
    assertThat(saved).isBetween(3_900_000L, 4_100_000L).isLessThan((now - since) / 4);
  }

  @Test
  void aClientCatchesUpOnlyTheTimeThatItMissed() {
    Part early = new Part(engine.open(), 500).busy();
    Part late = new Part(engine.open(), 500);
    step(100);
    long missed = now;
    late.busy();
    step(10 * STEPS);
    assertThat(late.turns).isCloseTo(early.turns, withPercentage(5));
    assertThat(missed).isLessThan(1_000_000);
  }

  @Test
  void clientsThatReturnTogetherDelayOthersNoLongerThanOneWould() {
    Part early = new Part(engine.open(), 500).busy();
    List<Part> late = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      late.add(new Part(engine.open(), 500));
    }
    step(20 * STEPS);
    int before = early.turns;
    late.forEach(Part::busy);
    long since = now;
    while (early.turns <= before + 1) {
      step(1);
    }
    assertThat(now - since).isLessThan(4_100_000);
  }

  @Test
  void aNewClientHasNoTimeToCatchUp() {
    Part early = new Part(engine.open(), 500).busy();
    step(20 * STEPS);
    int before = early.turns;
    Part late = new Part(engine.open(), 500).busy();
    step(STEPS);
    assertThat(late.turns).isCloseTo(early.turns - before, withPercentage(5));
  }

  @Test
  void aClientThatRestedIsNext() {
    crowd(engine.open(), 500).forEach(Part::busy);
    Client other = engine.open();
    step(STEPS);
    Part late = new Part(other, 500).busy();
    step(1);
    assertThat(late.turns).isPositive();
  }

  @Test
  void theDevicesOwnWorkSharesTheTurnsWithTheOnlyClient() {
    List<Part> crowd = crowd(engine.open(), 500);
    crowd.forEach(Part::busy);
    Part fabric = new Part(engine.own(), 500).busy();
    step(STEPS);
    assertThat(fabric.turns).isEqualTo(STEPS * 16 / 2);
  }

  @Test
  void aDeviceOfOneClientReadsTheClockOnceAStep() {
    new Part(engine.open(), 500).busy();
    new Part(engine.own(), 500);
    step(STEPS);
    assertThat(clockReads).isEqualTo(STEPS);
  }

  @Test
  void turnsAreShortOnlyWhileClientsWaitForEachOther() {
    Part first = new Part(engine.open(), 500).busy();
    long usual = engine.bytesPerTurn();
    Client other = engine.open();
    step(STEPS);
    assertThat(engine.bytesPerTurn()).isEqualTo(usual);
    Part second = new Part(other, 500).busy();
    step(2);
    assertThat(engine.bytesPerTurn()).isLessThan(usual / 8);
    engine.remove(second);
    step(STEPS);
    assertThat(engine.bytesPerTurn()).isEqualTo(usual);
    assertThat(first.turns).isPositive();
  }

  @Test
  void aStepOfClientsThatWaitForEachOtherIsShort() {
    new Part(engine.open(), 500).busy();
    new Part(engine.open(), 500).busy();
    step(2);
    long before = now;
    step(1);
    assertThat(now - before).isLessThanOrEqualTo(5_000);
  }

  @Test
  void workOfAClosedClientStillGetsTurns() {
    Client gone = engine.open();
    Part left = new Part(gone, 500).timed();
    engine.close(gone);
    step(3);
    assertThat(left.timers).isPositive();
    left.busy();
    step(1);
    assertThat(left.turns).isPositive();
  }

  /** A client that has one short turn at a time, and posts the next request a moment after each. */
  private final class Thinker extends Work implements Polled {
    private final long thought;
    private int turns;
    private long back;

    Thinker(Client client, long thought) {
      belongTo(client);
      this.thought = thought;
      engine.poll(this);
    }

    @Override
    protected int turn() {
      if (back > now) {
        return 0;
      }
      turns++;
      now += 500;
      back = now + thought;
      return 1;
    }

    /** A look takes time, too. */
    @Override
    public int poll() {
      now += 250;
      if (back <= now) {
        engine.activate(this);
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

    @Override
    protected long deadline() {
      return Long.MAX_VALUE;
    }

    @Override
    protected void onTimer() {
      throw new AssertionError("has no deadline");
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  private void runFor(long nanos) {
    long end = now + nanos;
    while (now < end) {
      step(1);
    }
  }

  @Test
  void aClientThatPostsAgainSoonGetsHalfOfADeviceBesideLongTurns() {
    Part longOne = new Part(engine.open(), 100_000).busy();
    Thinker thinker = new Thinker(engine.open(), 3_000);
    runFor(100_000_000);
    assertThat(longOne.turns * 100_000L).isCloseTo(50_000_000L, withPercentage(20));
    assertThat(thinker.turns * 3_750L).isCloseTo(50_000_000L, withPercentage(20));
  }

  @Test
  void aClientThatStaysAwayIsNotWaitedForLong() {
    Part longOne = new Part(engine.open(), 100_000).busy();
    new Thinker(engine.open(), 50_000);
    runFor(100_000_000);
    assertThat(longOne.turns * 100_000L).isGreaterThan(85_000_000L);
  }

  @Test
  void noClientIsWaitedForWhileTheClockStandsStill() {
    Part longOne = new Part(engine.open(), 100_000).busy();
    Client other = engine.open();
    step(STEPS);
    longOne.nanos = 0;
    Part left = new Part(other, 0);
    left.ends = true;
    left.busy();
    step(2 * STEPS);
    int before = longOne.turns;
    step(STEPS);
    assertThat(longOne.turns).isGreaterThan(before);
  }

  @Test
  void shortTurnsDoNotWaitForAnAbsentClient() {
    Part shortOne = new Part(engine.open(), 1_000).busy();
    Thinker thinker = new Thinker(engine.open(), 3_000);
    runFor(100_000_000);
    assertThat(shortOne.turns * 1_000L + thinker.turns * 500L).isGreaterThan(80_000_000L);
  }

  @Test
  void aCommandRunsAsItsClient() {
    Client client = engine.open();
    engine.enter(client);
    assertThat(engine.client()).isSameAs(client);
    engine.close(client);
    assertThat(engine.client()).isSameAs(engine.own());
    engine.exit();
  }
}
