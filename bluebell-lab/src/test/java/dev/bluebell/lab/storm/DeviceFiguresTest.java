package dev.bluebell.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The soak test's figures of a process are measured, or missing ones are an error. */
class DeviceFiguresTest {
  @Test
  void aHeapThatIsNotKnownIsAnErrorAndNotAHeapOfZeroBytes() throws Exception {
    // Ended, because jcmd waits ten seconds for a running process that is not a JVM.
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();

    assertThatIOException()
        .isThrownBy(() -> DeviceFigures.of(ended.pid()))
        .withMessageContaining("heap");
  }

  @Test
  void aJvmHasAHeap() throws IOException {
    DeviceFigures figures = DeviceFigures.of(ProcessHandle.current().pid());
    assertThat(figures.heapKib()).isPositive();
    assertThat(figures.rssKib()).isGreaterThan(figures.heapKib());
  }
}
