package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.rig.Defects;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The engine gives turns in rotation and fires deadlines. */
class EngineTest {
  private final ManualClock clock = new ManualClock();
  private final DeviceTime time = new DeviceTime();
  private final Engine engine = new Engine(clock::nanos, time, null);
  private final List<String> turns = new ArrayList<>();

  /** Work with a scripted turn. */
  private final class Part extends Work {
    private final String name;
    private IntSupplier turn = () -> 0;
    private long deadline = Long.MAX_VALUE;
    private String abandoned = "";

    Part(String name) {
      this.name = name;
    }

    Part busy(int times) {
      int[] left = {times};
      turn = () -> left[0]-- > 0 ? 1 : 0;
      return this;
    }

    @Override
    protected int turn() {
      turns.add(name);
      return turn.getAsInt();
    }

    @Override
    protected long deadline() {
      return deadline;
    }

    @Override
    protected void onTimer() {
      turns.add(name + " on time");
      deadline = Long.MAX_VALUE;
    }

    @Override
    protected void abandon(String why) {
      abandoned = why;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A polled place. */
  private static final class Place implements Polled {
    private int looks;
    private int thoroughLooks;
    private int found;
    private boolean empty;
    private boolean looking;

    @Override
    public boolean isLooking() {
      return looking;
    }

    @Override
    public int poll() {
      looks++;
      return found;
    }

    @Override
    public int pollThoroughly() {
      thoroughLooks++;
      return found;
    }

    @Override
    public boolean isEmpty() {
      return empty;
    }
  }

  private String takeTurns() {
    String taken = turns.stream().collect(Collectors.joining(" "));
    turns.clear();
    return taken;
  }

  // ---- turns that wait for a page

  @Test
  void workThatWasRemovedIsForgottenByTheClientThatItWaitedFor() {
    Client memory = engine.open();
    ForeignCopies copies = engine.copies();
    long copy = copies.begin(memory);
    assertThat(copies.look()).isNull();
    assertThat(copies.look()).isSameAs(Thread.currentThread());
    Part gone = new Part("gone");
    Part kept = new Part("kept");
    engine.enter();
    engine.activateLater(gone, memory);
    engine.activateLater(kept, memory);
    engine.remove(gone);
    assertThat(memory.callers).containsExactly(kept);
    engine.exit();
    copies.end(copy);
    engine.step();
    assertThat(takeTurns()).isEqualTo("kept");
  }

  // ---- turns

  @Test
  void activeWorkGetsItsTurnsInARing() {
    engine.activate(new Part("a").busy(2));
    engine.activate(new Part("b").busy(1));
    assertThat(engine.step()).isEqualTo(3);
    assertThat(takeTurns()).isEqualTo("a b a b a");
    assertThat(engine.step()).isZero();
    assertThat(takeTurns()).isEmpty();
  }

  @Test
  void workThatIsActiveAlreadyIsNotPutIntoTheRingTwice() {
    Part part = new Part("a");
    engine.activate(part);
    engine.activate(part);
    engine.step();
    assertThat(takeTurns()).isEqualTo("a");
    engine.activate(part);
    engine.step();
    assertThat(takeTurns()).isEqualTo("a");
  }

  @Test
  void aStepGivesSixteenTurnsAndReportsThatMoreWait() {
    for (int i = 0; i < 20; i++) {
      engine.activate(new Part("" + i));
    }
    assertThat(engine.step()).isEqualTo(1);
    assertThat(turns).hasSize(16).startsWith("0").endsWith("15");
    turns.clear();
    assertThat(engine.step()).isZero();
    assertThat(takeTurns()).isEqualTo("16 17 18 19");
  }

  @Test
  void aStepReturnsTheSumOfItsTurns() {
    Part part = new Part("a");
    int[] done = {7, 5, 0};
    int[] turn = {0};
    part.turn = () -> done[turn[0]++];
    engine.activate(part);
    assertThat(engine.step()).isEqualTo(12);
  }

  @Test
  void theRingGrowsAndKeepsItsOrder() {
    // The head is not at the start when the ring is full.
    for (int i = 0; i < 10; i++) {
      engine.activate(new Part("before"));
    }
    engine.step();
    turns.clear();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      engine.activate(new Part("" + i));
      expected.add("" + i);
    }
    assertThat(engine).hasToString("engine: 200 active");
    while (engine.step() > 0) {
      // Goes on.
    }
    assertThat(turns).isEqualTo(expected);
  }

  @Test
  void aRingOfExactly64NeedNotGrow() {
    for (int i = 0; i < 64; i++) {
      engine.activate(new Part("" + i));
    }
    while (engine.step() > 0) {
      // Goes on.
    }
    assertThat(turns).hasSize(64).doesNotHaveDuplicates();
  }

  @Test
  void workMayActivateOtherWorkInItsTurn() {
    Part other = new Part("b");
    Part part = new Part("a");
    part.turn =
        () -> {
          engine.activate(other);
          return 0;
        };
    engine.activate(part);
    engine.step();
    assertThat(takeTurns()).isEqualTo("a b");
  }

  // ---- removal

  @Test
  void removedWorkGetsNoTurnAndTheOthersKeepTheirOrder() {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      parts.add(new Part("" + i));
      engine.activate(parts.get(i));
    }
    engine.remove(parts.get(2));
    engine.remove(parts.get(0));
    assertThat(engine).hasToString("engine: 3 active");
    engine.step();
    assertThat(takeTurns()).isEqualTo("1 3 4");
  }

  @Test
  void removalWorksWhereTheRingWraps() {
    for (int i = 0; i < 60; i++) {
      engine.activate(new Part("before"));
    }
    while (engine.step() > 0) {
      // Goes on.
    }
    turns.clear();
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      parts.add(new Part("" + i));
      engine.activate(parts.get(i));
    }
    engine.remove(parts.get(1));
    engine.remove(parts.get(6));
    engine.step();
    assertThat(takeTurns()).isEqualTo("0 2 3 4 5 7");
  }

  @Test
  void removedWorkCanBeActivatedAgain() {
    Part part = new Part("a");
    engine.activate(part);
    engine.remove(part);
    engine.activate(part);
    engine.step();
    assertThat(takeTurns()).isEqualTo("a");
  }

  @Test
  void theTimerOfRemovedWorkDoesNotRun() {
    Part part = new Part("a");
    part.deadline = 10;
    engine.schedule(part);
    engine.remove(part);
    clock.advance(100);
    assertThat(engine.step()).isZero();
    assertThat(takeTurns()).isEmpty();
    assertThat(engine.nanosToNextTimer()).isEqualTo(Long.MAX_VALUE);
  }

  // ---- time

  @Test
  void aStepSetsTheDevicesTime() {
    clock.advance(123);
    engine.step();
    assertThat(time.now()).isEqualTo(123);
  }

  @Test
  void aDeadlineComesAtItsTimeAndNotBefore() {
    Part part = new Part("a");
    part.deadline = 10;
    engine.schedule(part);
    clock.advance(9);
    assertThat(engine.step()).isZero();
    assertThat(engine.nanosToNextTimer()).isEqualTo(1);
    clock.advance(1);
    assertThat(engine.step()).isEqualTo(1);
    assertThat(takeTurns()).isEqualTo("a on time");
    assertThat(engine.nanosToNextTimer()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aDeadlineThatWasMissedIsDueNow() {
    Part part = new Part("a");
    part.deadline = 10;
    engine.step();
    engine.schedule(part);
    clock.advance(50);
    engine.enter();
    engine.exit();
    assertThat(engine.nanosToNextTimer()).isZero();
  }

  @Test
  void workHasNoDeadlineByDefault() {
    Work timeless =
        new Work() {
          @Override
          protected int turn() {
            return 0;
          }

          @Override
          protected void abandon(String why) {
            throw new AssertionError(why);
          }
        };
    engine.schedule(timeless);
    timeless.onTimer();
    assertThat(engine.nanosToNextTimer()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void timersRunBeforeTurns() {
    Part part = new Part("a");
    part.deadline = 1;
    engine.schedule(part);
    engine.activate(part);
    clock.advance(1);
    engine.step();
    assertThat(takeTurns()).isEqualTo("a on time a");
  }

  // ---- what is polled

  @Test
  void aStepPollsLikelyPlacesAndAThoroughStepPollsEverywhere() {
    Place place = new Place();
    Place other = new Place();
    place.found = 3;
    other.found = 4;
    engine.poll(place);
    engine.poll(other);
    assertThat(engine.step()).isEqualTo(7);
    assertThat(place.looks).isEqualTo(1);
    assertThat(place.thoroughLooks).isZero();
    assertThat(engine.stepThoroughly()).isEqualTo(7);
    assertThat(other.looks).isEqualTo(1);
    assertThat(other.thoroughLooks).isEqualTo(1);
  }

  @Test
  void anEngineThatHasNotPolledEverywhereRestsOnlyBriefly() {
    Place place = new Place();
    engine.poll(new Place());
    engine.poll(place);
    assertThat(engine.isLooking()).isFalse();
    place.looking = true;
    assertThat(engine.stepThoroughly()).isZero();
    assertThat(engine.isLooking()).isTrue();
    assertThat(engine.nanosToNextTimer()).isEqualTo(100_000);
    assertThat(engine.nanosToNextDeadline()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void anEngineCanBeRungWhereOnePlaceIsNotEmpty() {
    assertThat(engine.canBeRung()).isFalse();
    Place empty = new Place();
    empty.empty = true;
    engine.poll(empty);
    assertThat(engine.canBeRung()).isFalse();
    engine.poll(new Place());
    assertThat(engine.canBeRung()).isTrue();
  }

  // ---- defects

  @Test
  void aDefectInOneWorkLeavesTheOthersAlone() {
    Part broken = new Part("broken");
    broken.turn =
        () -> {
          throw new IllegalStateException("a test's defect");
        };
    engine.activate(broken);
    engine.activate(new Part("a").busy(1));
    assertThat(Defects.during(() -> assertThat(engine.step()).isEqualTo(1)))
        .containsExactly(
            "the software device failed at broken: java.lang.IllegalStateException: a test's"
                + " defect");
    assertThat(takeTurns()).isEqualTo("broken a a");
    assertThat(broken.abandoned)
        .isEqualTo(
            "the device itself failed at broken: java.lang.IllegalStateException: a test's defect;"
                + " please report it");
    engine.step();
    assertThat(takeTurns()).isEmpty();
  }

  @Test
  void memoryThatIsGoneEndsTheWorkThatUsesIt() {
    Part broken = new Part("broken");
    broken.turn =
        () -> {
          throw new InternalError("a fault occurred in an unsafe memory access operation");
        };
    engine.activate(broken);
    assertThat(engine.step()).isZero();
    assertThat(broken.abandoned)
        .isEqualTo(
            "memory that broken uses is gone, most likely because a mapped file was truncated; it"
                + " no longer does anything");
  }

  // ---- ownership

  @Test
  void theEngineHasOneOwnerAtATime() {
    assertThat(engine.tryEnter()).isTrue();
    assertThat(engine.tryEnter()).isFalse();
    engine.exit();
    engine.enter();
    assertThat(engine.tryEnter()).isFalse();
    engine.exit();
    assertThat(engine.tryEnter()).isTrue();
  }

  @Test
  void enteringTheEngineUpdatesTheTime() {
    clock.advance(77);
    engine.enter();
    assertThat(time.now()).isEqualTo(77);
    engine.exit();
  }
}
