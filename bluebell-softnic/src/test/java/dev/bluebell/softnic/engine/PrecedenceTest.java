package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaPrecedence;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The device's thread has precedence over clients, but can't keep a processor from them. */
class PrecedenceTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private long now;
  private final Precedence precedence = new Precedence(() -> now);
  private final Means means = new Means();

  /** The means of its precedence. */
  private static final class Means implements HcaPrecedence, HcaPrecedence.Held {
    boolean allowed = true;
    boolean taken;
    int asked;
    int moves;

    @Override
    public Optional<Held> take() {
      asked++;
      taken = allowed;
      return taken ? Optional.of(this) : Optional.empty();
    }

    @Override
    public void watch() {}

    @Override
    public void move() {
      moves++;
    }

    @Override
    public void giveUp() {
      taken = false;
    }
  }

  private void work(long nanos) {
    for (int i = 0; i < 100; i++) {
      now += nanos / 100;
      precedence.worked();
    }
  }

  private void rest(long nanos) {
    now += nanos;
    precedence.rested();
  }

  private boolean idle() {
    return precedence.idle(means, true);
  }

  @Test
  void precedenceIsTakenOnlyWhereProcessorsAreFew() {
    assertThat(precedence.idle(means, false)).isFalse();
    assertThat(precedence.idle(null, true)).isFalse();
    assertThat(means.asked).isZero();
    assertThat(idle()).isTrue();
    assertThat(means.taken).isTrue();
    assertThat(precedence.idle(means, false)).isFalse();
    assertThat(means.taken).isFalse();
  }

  @Test
  void aRefusedThreadDoesNotAskAgain() {
    means.allowed = false;
    assertThat(idle()).isFalse();
    assertThat(idle()).isFalse();
    assertThat(means.asked).isOne();
  }

  @Test
  void endlessWorkLosesPrecedence() {
    idle();
    work(9 * MILLI);
    assertThat(means.taken).isTrue();
    work(2 * MILLI);
    assertThat(means.taken).isFalse();
    assertThat(precedence.isTaken()).isFalse();
    work(100 * MILLI);
    assertThat(means.asked).isOne();
  }

  @Test
  void precedenceIsTakenAgainAfterOthersHadTime() {
    idle();
    work(11 * MILLI);
    now += 2 * MILLI;
    assertThat(idle()).isFalse();
    now += 2 * MILLI;
    assertThat(idle()).isTrue();
    assertThat(means.taken).isTrue();
  }

  @Test
  void aQuarterOfRestKeepsPrecedence() {
    idle();
    for (int i = 0; i < 1000; i++) {
      work(3 * MILLI / 100);
      assertThat(idle()).isTrue();
      rest(MILLI / 100);
    }
  }

  @Test
  void withLessRestPrecedenceIsHeldThreeQuartersOfTheTime() {
    idle();
    long first = 0;
    for (int i = 0; i < 10_000; i++) {
      first += means.taken ? 9 : 0;
      work(9 * MILLI / 100);
      idle();
      rest(MILLI / 100);
    }
    assertThat(first / 100_000.0).isBetween(0.7, 0.77);
  }

  @Test
  void aThreadWithPrecedenceMovesFromProcessorToProcessor() {
    idle();
    for (int i = 0; i < 10_000; i++) {
      rest(MILLI / 100);
      idle();
    }
    assertThat(means.moves).isEqualTo(5);
  }

  @Test
  void aThreadWithoutPrecedenceDoesNotMove() {
    means.allowed = false;
    idle();
    rest(100 * MILLI);
    idle();
    assertThat(means.moves).isZero();
  }

  @Test
  void aThreadThatStaysInAStepLosesPrecedence() {
    idle();
    precedence.look();
    work(MILLI);
    precedence.look();
    assertThat(means.taken).isTrue();
    precedence.look();
    assertThat(means.taken).isFalse();
    assertThat(precedence.isTaken()).isFalse();
  }

  @Test
  void aThreadThatReturnsMayTakePrecedenceAgain() {
    idle();
    precedence.look();
    precedence.look();
    now += 20 * MILLI;
    precedence.worked();
    assertThat(idle()).isTrue();
    assertThat(means.asked).isEqualTo(2);
  }

  @Test
  void aThreadThatEndsGivesUpPrecedence() {
    idle();
    precedence.end();
    assertThat(means.taken).isFalse();
  }
}
