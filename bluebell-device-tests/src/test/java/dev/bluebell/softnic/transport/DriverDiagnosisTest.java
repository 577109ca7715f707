package dev.bluebell.softnic.transport;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which of the device's explanations a diagnosis shows. */
class DriverDiagnosisTest {
  private final Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory = domain.allocate(64, LOCAL_WRITE);
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final RcQueuePair left = domain.rcQueuePair(completions).create();
  private final RcQueuePair right = domain.rcQueuePair(completions).create();

  @AfterEach
  void close() {
    device.close();
  }

  private void await(int count) {
    int done = 0;
    while (done < count) {
      done += completions.poll(_ -> {});
    }
  }

  @Test
  void aQueuePairShowsItsOwnExplanationAndNotItsPeersFlush() {
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    left.write(memory.address(), 0x12345).gather(memory, 0, 32).signaled(1);
    left.write(memory.address(), memory.rkey()).gather(memory, 0, 32).signaled(2);
    left.ringDoorbell();
    await(2);
    assertThat(device.diagnosis().orElseThrow().explanations().getLast())
        .startsWith("flushed, because " + left)
        .contains(right + " refused");
    assertThat(right.diagnose())
        .contains("The latest explanation of %s: %s refused the request".formatted(right, right));
    assertThat(left.diagnose())
        .contains("The latest explanation of %s: flushed, because %s".formatted(left, left));
  }

  @Test
  void aQueuePairShowsThatItsPeerFindsNoReceiveRatherThanItsOwnOlderFailure() {
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    left.write(memory.address(), 0x12345).gather(memory, 0, 32).signaled(1);
    left.ringDoorbell();
    await(1);
    left.reset();
    right.reset();
    left.connect(right.endpoint(), ConnectOptions.DEFAULT.withRnrRetry(0));
    right.connect(left.endpoint());
    left.send().gather(memory, 0, 32).signaled(2);
    left.ringDoorbell();
    await(1);
    assertThat(right.diagnose())
        .contains("The latest explanation of %s: ".formatted(right), "receive")
        .doesNotContain("refused the request");
  }

  @Test
  void aCompletionQueueRepeatsNoExplanationOfItsTwoQueuePairs() {
    left.connect(right.endpoint(), ConnectOptions.DEFAULT.withRnrRetry(0));
    right.connect(left.endpoint());
    left.send().gather(memory, 0, 32).signaled(1);
    left.ringDoorbell();
    await(1);
    String explanation = device.diagnosis().orElseThrow().explanations().getLast();
    assertThat(explanation).contains(left.toString(), right.toString());
    assertThat(right.diagnose()).contains(explanation);
    assertThat(completions.diagnose()).containsOnlyOnce(explanation);
  }

  @Test
  void aDeviceThatHasNotRunSaysThatTheDoorbellRang() {
    left.connect(right.endpoint());
    left.nop().signaled(1);
    left.ringDoorbell();
    assertThat(left.diagnose())
        .contains("whose doorbell rang, but the device has not run since")
        .doesNotContain("no doorbell has come");
    await(1);
    assertThat(left.diagnose()).contains("No send request is outstanding.");
  }
}
