package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.CqeOpcode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Waiting for many completion queues. The test plays the device. */
class CompletionChannelTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** Longer than the time limit of a test, so that only a wakeup ends a wait in time. */
  private static final Duration FOREVER = Duration.ofHours(3);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue first = device.createCompletionQueue(8);
  private final PlayedCompletions playedFirst = new PlayedCompletions(hca);
  private final CompletionQueue second = device.createCompletionQueue(8);
  private final PlayedCompletions playedSecond = new PlayedCompletions(hca);
  private final RcQueuePair queuePair =
      Connected.toItself(domain.rcQueuePair(first).receiveCompletions(second).create());
  private final CompletionChannel channel = device.openCompletionChannel();
  private final FakeHca.FakeChannel events = hca.channels.getLast();
  private int sent;
  private int received;

  private void completeSend() {
    playedFirst.write(CqeOpcode.REQ, 0, queuePair.number(), sent++, 0);
  }

  private void completeReceive() {
    playedSecond.write(CqeOpcode.RESP_SEND, 0, queuePair.number(), received++, 0);
  }

  private void start() {
    for (int i = 0; i < 8; i++) {
      queuePair.nop().signaled(i);
      queuePair.receive().empty().post(i);
    }
    queuePair.ringDoorbell();
    queuePair.ringReceiveDoorbell();
    channel.add(first);
    channel.add(second);
  }

  private void raise(CompletionQueue completions) {
    events.raise(HcaEvent.COMPLETION, completions.number(), 0);
  }

  @Test
  void aWaitReturnsTheQueueWithACompletion() throws InterruptedException {
    start();
    assertThat(channel.await(Duration.ZERO)).isNull();
    completeReceive();
    assertThat(channel.await(Duration.ZERO)).isSameAs(second);
    assertThat(second.poll()).isNotNull();
    completeSend();
    assertThat(channel.await(Duration.ZERO)).isSameAs(first);
    assertThat(first.poll()).isNotNull();
    assertThat(channel.await(Duration.ZERO)).isNull();
  }

  @Test
  void queuesThatAreClosedAndOthersThatAreAddedTakeTurnsAsBefore() throws InterruptedException {
    start();
    for (int i = 0; i < 100; i++) {
      CompletionQueue brief = device.createCompletionQueue(8);
      channel.add(brief);
      assertThat(channel.await(Duration.ZERO)).isNull();
      int number = brief.number();
      brief.close();
      events.raise(HcaEvent.COMPLETION, number, 0);
    }
    completeSend();
    completeReceive();
    assertThat(channel.await(LONG)).isNotNull();
    assertThat(channel.await(LONG)).isNotNull();
  }

  @Test
  void aBusyQueueDoesNotKeepOthersWaiting() throws InterruptedException {
    start();
    for (int i = 0; i < 4; i++) {
      completeSend();
      completeReceive();
    }
    for (int i = 0; i < 4; i++) {
      assertThat(channel.await(LONG)).isSameAs(first);
      assertThat(channel.await(LONG)).isSameAs(second);
    }
  }

  @Test
  void aQueueIsArmedAgainOnlyAfterItsEvent() throws InterruptedException {
    start();
    assertThat(channel.await(Duration.ZERO)).isNull();
    assertThat(channel.await(Duration.ZERO)).isNull();
    assertThat(playedFirst.armCommand()).isZero();
    raise(first);
    assertThat(channel.await(Duration.ZERO)).isNull();
    assertThat(playedFirst.armCommand() >>> 28).isEqualTo(1);
    assertThat(playedSecond.armCommand() >>> 28).isZero();
  }

  @Test
  void aWakeupOfTheChannelOrOfAQueueInItEndsAWait() throws InterruptedException {
    second.wakeup();
    start();
    assertThat(channel.await(FOREVER)).isNull();
    first.wakeup();
    channel.wakeup();
    assertThat(channel.await(FOREVER)).isNull();
    completeReceive();
    raise(second);
    assertThat(channel.await(LONG)).as("no wakeup is left").isSameAs(second);
    Thread other = new Thread(channel::wakeup);
    assertThat(second.poll()).isNotNull();
    other.start();
    assertThat(channel.await(FOREVER)).isNull();
    other.join();
    channel.close();
    channel.wakeup();
  }

  @Test
  void aWakeupOfAClosedQueueEndsNoWaitForOthers() throws InterruptedException {
    start();
    queuePair.close();
    first.close();
    assertThat(channel.await(FOREVER)).as("the close itself ends one").isNull();
    first.wakeup();
    Duration wait = Duration.ofMillis(20);
    long before = System.nanoTime();
    assertThat(channel.await(wait)).isNull();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(wait);
  }

  @Test
  void aWaitSleepsUntilTheDeviceCompletesARequest() throws InterruptedException {
    start();
    assertThat(channel.await(Duration.ZERO)).isNull();
    Thread deviceThread =
        new Thread(
            () -> {
              completeReceive();
              raise(second);
            });
    deviceThread.start();
    assertThat(channel.await(LONG)).isSameAs(second);
    deviceThread.join();
  }

  @Test
  void aWaitReturnsAFailedQueueWhosePollThenFails() throws InterruptedException {
    start();
    events.raise(HcaEvent.CQ_ERROR, second.number(), HcaEvent.CQ_OVERRUN);
    assertThat(channel.await(LONG)).isSameAs(second);
    assertThatIllegalStateException().isThrownBy(second::poll).withMessageContaining("overrun");
  }

  @Test
  void aQueueInAChannelCannotBeWaitedForElsewhere() throws InterruptedException {
    channel.add(first);
    assertThatIllegalStateException()
        .isThrownBy(() -> channel.add(first))
        .withMessageContaining("already in a completion channel");
    assertThatIllegalStateException()
        .isThrownBy(() -> first.awaitCompletions(LONG))
        .withMessageContaining("wait on the channel");
    assertThat(second.awaitCompletions(Duration.ZERO)).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> channel.add(second));
    try (Device other = Device.over(new FakeHca())) {
      CompletionQueue foreign = other.createCompletionQueue(8);
      assertThatIllegalArgumentException().isThrownBy(() -> channel.add(foreign));
    }
  }

  @Test
  void aWaitReturnsTheCompletionsOfALostDeviceBeforeItFails() throws InterruptedException {
    start();
    completeReceive();
    hca.onProgress =
        () -> {
          throw new DeviceLostException("lost");
        };
    assertThat(channel.await(LONG)).isSameAs(second);
    assertThat(second.poll()).isNotNull();
    assertThatExceptionOfType(DeviceLostException.class).isThrownBy(() -> channel.await(LONG));
  }

  @Test
  void aQueueThatAnotherThreadClosesEndsAWaitAndFreesWhatItHolds() throws Exception {
    start();
    SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(1).create();
    CompletionQueue closed = device.createCompletionQueue(8);
    PlayedCompletions played = new PlayedCompletions(hca);
    RcQueuePair receiver =
        Connected.toItself(domain.rcQueuePair(closed).receiveFrom(receives).create());
    receives.receive().empty().post(1);
    receives.ringDoorbell();
    channel.add(closed);
    assertThat(channel.await(Duration.ZERO)).isNull();
    played.write(CqeOpcode.RESP_SEND, 1, receiver.number(), 0, 0);
    receiver.close();
    Thread closing = new Thread(closed::close);
    closing.start();
    closing.join();
    assertThat(receives.exactFreeReceives()).isZero();
    assertThat(channel.await(FOREVER)).isNull();
    assertThat(receives.exactFreeReceives()).isEqualTo(1);
  }

  @Test
  void closedQueuesAreLeftOut() throws InterruptedException {
    start();
    queuePair.close();
    first.close();
    assertThat(channel.await(Duration.ZERO)).isNull();
    second.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> channel.await(LONG))
        .withMessageContaining("no open queue");
  }

  @Test
  void aClosedChannelWaitsForNothing() {
    start();
    channel.close();
    channel.close();
    assertThat(events.closed).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> channel.await(LONG));
    assertThatIllegalStateException().isThrownBy(() -> channel.add(first));
  }

  @Test
  void theDeviceClosesItsChannels() {
    device.close();
    assertThat(events.closed).isTrue();
  }

  @Test
  void aWaitReturnsAQueueThatFailedBeforeItWasAdded() throws InterruptedException {
    hca.channels.get(1).raise(HcaEvent.CQ_ERROR, second.number(), HcaEvent.CQ_OVERRUN);
    start();
    assertThat(channel.await(Duration.ZERO)).isSameAs(second);
  }
}
