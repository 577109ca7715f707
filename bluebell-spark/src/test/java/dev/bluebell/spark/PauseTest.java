package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseTest {
  /** Before its sign changes. */
  private long now = Long.MAX_VALUE - 5;

  private final Pause pause = new Pause(Duration.ofNanos(10), () -> now);

  @Test
  void aPauseRunsFromItsBeginForItsLength() {
    assertThat(pause.isRunning()).isFalse();
    assertThat(pause.beginUnlessRunning()).isTrue();
    now += 9;
    assertThat(pause.isRunning()).isTrue();
    assertThat(pause.beginUnlessRunning()).isFalse();
    now++;
    assertThat(pause.isRunning()).isFalse();
    assertThat(pause.beginUnlessRunning()).isTrue();
    assertThat(pause.isRunning()).isTrue();
  }
}
