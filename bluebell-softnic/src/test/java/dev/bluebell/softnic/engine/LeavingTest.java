package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A client's remaining work is removed without a search through all of it. */
class LeavingTest {
  private static final int CROWD = 3000;
  private static final long SEED = 14;

  private final Engine engine = new Engine(() -> 0, new DeviceTime(), null);
  private final List<Part> turns = new ArrayList<>();
  private int comparisons;

  /** Active work with a deadline, which counts how often it is compared with other work. */
  private final class Part extends Work {
    private final long deadline;

    Part(long deadline) {
      this.deadline = deadline;
    }

    @Override
    protected int turn() {
      turns.add(this);
      return 0;
    }

    @Override
    protected long deadline() {
      return deadline;
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }

    @Override
    public boolean equals(Object other) {
      comparisons++;
      return this == other;
    }

    @Override
    public int hashCode() {
      return (int) deadline;
    }
  }

  private List<Part> crowd() {
    List<Part> crowd = new ArrayList<>();
    for (int i = 1; i <= CROWD; i++) {
      Part part = new Part(1000L * i);
      engine.activate(part);
      engine.schedule(part);
      crowd.add(part);
    }
    return crowd;
  }

  @Test
  void removingACrowdOfWorkNeedsNoSearch() {
    List<Part> crowd = crowd();
    Collections.shuffle(crowd, new Random(SEED));
    crowd.forEach(engine::remove);
    assertThat(comparisons).isLessThanOrEqualTo(CROWD);
    assertThat(engine.step()).isZero();
    assertThat(engine.nanosToNextTimer()).isEqualTo(Long.MAX_VALUE);
    assertThat(turns).isEmpty();
  }

  @Test
  void remainingWorkKeepsItsTurnAndItsDeadline() {
    List<Part> crowd = crowd();
    List<Part> left = new ArrayList<>(crowd);
    Collections.shuffle(left, new Random(SEED));
    List<Part> gone = left.subList(0, CROWD * 2 / 3);
    gone.forEach(engine::remove);
    crowd.removeAll(gone);
    Part later = new Part(1);
    engine.activate(later);
    engine.schedule(later);
    crowd.add(later);
    while (engine.step() > 0) {
      assertThat(turns).hasSizeLessThanOrEqualTo(crowd.size());
    }
    assertThat(turns).containsExactlyElementsOf(crowd);
    assertThat(engine.nanosToNextTimer()).isEqualTo(1);
  }
}
