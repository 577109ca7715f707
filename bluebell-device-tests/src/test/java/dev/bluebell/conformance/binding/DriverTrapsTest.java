package dev.bluebell.conformance.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mistakes that applications made with the driver, on each kind of device. Threads share the
 * devices, which therefore run in real time; tests wait up to a minute for results.
 */
class DriverTrapsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void twoDevicesOfAProcessHaveDifferentPeersAndNeitherReachesTheOthers() {
    try (Device one = Device.open("soft:engine=poll");
        Device two = Device.open("soft:engine=poll")) {
      RcQueuePair left = create(one);
      RcQueuePair right = create(two);
      QueuePairEndpoint peer = right.endpoint();
      assertThat(peer.gid()).isNotEqualTo(left.endpoint().gid());
      assertThat(peer.qpn()).isNotEqualTo(left.endpoint().qpn());
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> left.connect(peer))
          .withMessageContaining("open one device on both ends");
    }
  }

  private static RcQueuePair create(Device device) {
    return device.allocateProtectionDomain().rcQueuePair(device.createCompletionQueue(16)).create();
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:engine=thread", "soft:engine=poll", "hosted"})
  void closingAQueueAlwaysEndsAWaitWithAClosedException(String name) throws Exception {
    try (Device device = Device.open(name)) {
      for (int round = 0; round < 6; round++) {
        CompletionQueue completions = device.createCompletionQueue(4);
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<Boolean> waited = new CompletableFuture<>();
        Thread waiter =
            Thread.ofPlatform()
                .start(
                    () -> {
                      started.countDown();
                      try {
                        waited.complete(completions.awaitCompletions(PATIENCE));
                      } catch (InterruptedException | RuntimeException e) {
                        waited.completeExceptionally(e);
                      }
                    });
        started.await();
        completions.close();
        waiter.join();
        assertThatExceptionOfType(ExecutionException.class)
            .isThrownBy(() -> waited.get(0, TimeUnit.SECONDS))
            .withCauseInstanceOf(ClosedException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:engine=thread", "hosted"})
  void aResetDuringAPollIsRefusedWithoutBlamingTheDevice(String name) throws Exception {
    try (Device device = Device.open(name)) {
      CompletionQueue completions = device.createCompletionQueue(64);
      RcQueuePair queuePair = device.allocateProtectionDomain().rcQueuePair(completions).create();
      queuePair.connect(queuePair.endpoint());
      CountDownLatch polls = new CountDownLatch(1);
      CompletableFuture<Integer> polled = new CompletableFuture<>();
      Thread poller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      int all = 0;
                      while (all < 8) {
                        all += completions.poll(completion -> {});
                        polls.countDown();
                        Thread.onSpinWait();
                      }
                      polled.complete(all);
                    } catch (RuntimeException e) {
                      polled.completeExceptionally(e);
                    }
                  });
      polls.await();
      for (int i = 0; i < 8; i++) {
        queuePair.nop().signaled(i);
        assertThatExceptionOfType(NotOwnerException.class).isThrownBy(queuePair::reset);
      }
      queuePair.ringDoorbell();
      assertThat(polled.get(60, TimeUnit.SECONDS)).isEqualTo(8);
      poller.join();
      assertThat(queuePair.reset().sends()).isEmpty();
    }
  }

  @Test
  void aDeviceWithThousandsOfArmedQueuesCloses() {
    Device device = Device.open("soft:engine=poll");
    for (int i = 0; i < 4000; i++) {
      device.createCompletionQueue(1).arm(false);
    }
    device.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> device.port(1));
  }
}
