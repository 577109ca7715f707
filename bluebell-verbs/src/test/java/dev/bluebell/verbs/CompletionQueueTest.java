package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Creating, polling and waiting for completion queues; the test plays the device. */
class CompletionQueueTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** Longer than the time limit of a test, so that only a wakeup ends a wait in time. */
  private static final Duration FOREVER = Duration.ofHours(3);

  /** Longer than a call that does not wait, and short enough for a test that fails. */
  private static final Duration SHORT = Duration.ofMillis(200);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final CompletionQueue completions = device.createCompletionQueue(100);
  private final RcQueuePair queuePair =
      Connected.toItself(device.allocateProtectionDomain().rcQueuePair(completions).create());
  private int produced;

  /** The device completes the request at a WQE index. */
  private void complete(int wqeIndex) {
    write(CqeOpcode.REQ, wqeIndex, 0);
  }

  /** The device fails the request at a WQE index. */
  private void fail(int wqeIndex) {
    write(CqeOpcode.REQ_ERR, wqeIndex, Cqe.errorWord(0, Syndrome.LOCAL_PROT_ERR));
  }

  private void write(int opcode, int wqeIndex, long timestampWord) {
    MemorySegment ring =
        hca.umems.get(
            View.over(hca.commands.get(CommandOpcode.CREATE_CQ).getFirst())
                .getInt(CreateCqIn.CQ_UMEM_ID));
    int index = produced++;
    long cqe = ring.address() + 64L * (index & 127);
    int opOwn = Cqe.opOwn(opcode, false, index >>> 7);
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, 0);
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, timestampWord);
    Memory.putLongRelease(
        cqe + Cqe.LAST_WORD, Cqe.lastWord(0, queuePair.number(), wqeIndex, opOwn));
  }

  private void post(int count) {
    for (int i = 0; i < count; i++) {
      queuePair.nop().signaled(i);
    }
    queuePair.ringDoorbell();
  }

  @Test
  void creationNamesTheRingTheRecordAndTheEventQueue() {
    CompletionQueue other =
        device.createCompletionQueue(1000, CompletionQueueOptions.DEFAULT.withCompletionVector(1));
    assertThat(other.entries()).isEqualTo(1024);
    View command = hca.lastCommand(CommandOpcode.CREATE_CQ);
    assertThat(command.isSet(CreateCqIn.CQ_UMEM_VALID)).isTrue();
    assertThat(command.get(CreateCqIn.CQ_UMEM_OFFSET)).isZero();
    MemorySegment ring = hca.umems.get(command.getInt(CreateCqIn.CQ_UMEM_ID));
    assertThat(ring.byteSize()).isEqualTo(65536);
    for (int i = 0; i < 1024; i++) {
      assertThat(ring.get(ValueLayout.JAVA_BYTE, 64L * i + 63)).isEqualTo((byte) 0xf0);
    }
    View cqc = command.at(CreateCqIn.CQ_CONTEXT);
    assertThat(cqc.getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(10);
    assertThat(cqc.getInt(Cqc.CQE_SZ)).isZero();
    assertThat(cqc.isSet(Cqc.OI)).isFalse();
    assertThat(cqc.getInt(Cqc.C_EQN)).isEqualTo(8);
    assertThat(cqc.isSet(Cqc.DBR_UMEM_VALID)).isTrue();
    assertThat(hca.umems).containsKey(cqc.getInt(Cqc.DBR_UMEM_ID));
    assertThat(cqc.get(Cqc.DBR_ADDR) % 64).isZero();
  }

  @Test
  void aQueueWithoutMemoryForItsRingIsDestroyed() {
    hca.last.add("CQ");
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> device.createCompletionQueue(16));
    assertThat(hca.closings()).containsExactly("CQ");
  }

  @Test
  void entriesOf128BytesAreInitializedInTheirSecondHalf() {
    CompletionQueue large =
        device.createCompletionQueue(8, CompletionQueueOptions.DEFAULT.withCqeBytes(128));
    assertThat(large.entries()).isEqualTo(8);
    View command = hca.lastCommand(CommandOpcode.CREATE_CQ);
    assertThat(command.at(CreateCqIn.CQ_CONTEXT).getInt(Cqc.CQE_SZ)).isEqualTo(1);
    MemorySegment ring = hca.umems.get(command.getInt(CreateCqIn.CQ_UMEM_ID));
    assertThat(ring.get(ValueLayout.JAVA_BYTE, 127)).isEqualTo((byte) 0xf0);
  }

  @Test
  void sizesAndVectorsThatDoNotExistAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.createCompletionQueue(0))
        .withMessageContaining("1 to 65536 entries, not 0");
    assertThatIllegalArgumentException().isThrownBy(() -> device.createCompletionQueue(65537));
    CompletionQueueOptions options = CompletionQueueOptions.DEFAULT;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.createCompletionQueue(8, options.withCompletionVector(2)))
        .withMessageContaining("2 completion vectors");
    assertThatIllegalArgumentException().isThrownBy(() -> options.withCompletionVector(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withCqeBytes(96));
  }

  @Test
  void aPollThatFindsNothingLetsTheDeviceWorkAndLooksAgain() {
    post(2);
    hca.onProgress = () -> complete(produced);
    List<Long> ids = new ArrayList<>();
    assertThat(completions.poll(completion -> ids.add(completion.id()))).isEqualTo(1);
    Completion next = completions.poll();
    assertThat(next).isNotNull();
    assertThat(next.id()).isEqualTo(1);
    assertThat(ids).containsExactly(0L);
    assertThat(hca.progressCalls).isEqualTo(2);
  }

  @Test
  void aPollThatFindsSomethingDoesNotDisturbTheDevice() {
    post(3);
    complete(0);
    complete(1);
    complete(2);
    assertThat(completions.poll(completion -> {}, 2)).isEqualTo(2);
    assertThat(completions.poll()).isNotNull();
    assertThat(hca.progressCalls).isZero();
  }

  @Test
  void oneCallConsumesAtMostARingful() {
    post(64);
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      complete(i);
    }
    assertThat(completions.poll(completion -> ids.add(completion.id()))).isEqualTo(64);
    assertThat(ids).hasSize(64);
  }

  @Test
  void failuresAreExplainedByTheDeviceWhenItCan() {
    post(2);
    complete(0);
    fail(1);
    assertThat(completions.poll()).isNotNull();
    Completion failed = completions.poll();
    assertThat(failed).isNotNull();
    assertThat(failed.explanation()).contains("LOCAL_PROT_ERR", "check lkey");
    hca.explanation = "the test plugged it wrong";
    assertThat(failed.explanation())
        .isEqualTo("CQ 0x%x entry 1: the test plugged it wrong".formatted(completions.number()));
  }

  @Test
  void anOverrunIsReportedWhenNothingMoreIsThere() {
    post(1);
    complete(0);
    FakeHca.FakeChannel errors = hca.channels.get(1);
    errors.raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    assertThat(completions.poll(completion -> {})).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("has overrun its 128 entries")
        .withMessageContaining("more entries");
    assertThatIllegalStateException()
        .isThrownBy(() -> completions.resize(256))
        .withMessageContaining("has overrun its 128 entries");
    assertThatIllegalStateException().isThrownBy(() -> completions.poll(completion -> {}));
  }

  @Test
  void anErrorReachesTheQueueThatItBelongsToOnly() {
    CompletionQueue other = device.createCompletionQueue(8);
    FakeHca.FakeChannel errors = hca.channels.get(1);
    errors.raise(HcaEvent.CQ_ERROR, other.number(), HcaEvent.CQ_ACCESS_VIOLATION);
    assertThat(completions.poll()).isNull();
    assertThatIllegalStateException()
        .isThrownBy(other::poll)
        .withMessageContaining("CQ error syndrome 2");
  }

  @Test
  void anErrorThatComesLaterIsNoticedWithin64EmptyPolls() {
    assertThat(completions.poll()).isNull();
    hca.channels.get(1).raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> {
              for (int i = 0; i < 64; i++) {
                assertThat(completions.poll()).isNull();
              }
            });
  }

  @Test
  void waitingReturnsAtOnceWhenThereIsSomething() throws InterruptedException {
    post(1);
    complete(0);
    assertThat(completions.awaitCompletions(Duration.ZERO)).isTrue();
  }

  @Test
  void waitingEndsWithItsTimeout() throws InterruptedException {
    assertThat(completions.awaitCompletions(Duration.ZERO)).isFalse();
    assertThat(completions.awaitCompletions(Duration.ofMillis(-5))).isFalse();
  }

  @Test
  void waitingForEverEndsWithAnEvent() throws InterruptedException {
    assertThat(completions.awaitCompletions(Duration.ZERO)).isFalse();
    hca.channels.getLast().raise(HcaEvent.COMPLETION, completions.number(), 0);
    assertThat(completions.awaitEvent(ChronoUnit.FOREVER.getDuration())).isTrue();
  }

  @Test
  void waitingArmsTheQueueAndTakesTheEvent() throws InterruptedException {
    post(1);
    assertThat(completions.awaitCompletions(Duration.ZERO)).isFalse();
    FakeHca.FakeChannel events = hca.channels.getLast();
    assertThat(events.subscriptions.getFirst())
        .containsExactly(completions.number(), HcaEvent.COMPLETION, 0);
    assertThat(armCommand()).isZero();
    // An event without a completion makes the queue arm again, with the next sequence number.
    events.raise(HcaEvent.COMPLETION, completions.number(), 0);
    assertThat(completions.awaitCompletions(Duration.ZERO)).isFalse();
    assertThat(armCommand() >>> 28).isEqualTo(1);
    Thread deviceThread =
        new Thread(
            () -> {
              complete(0);
              events.raise(HcaEvent.COMPLETION, completions.number(), 0);
            });
    deviceThread.start();
    assertThat(completions.awaitCompletions(LONG)).isTrue();
    deviceThread.join();
    assertThat(completions.poll()).isNotNull();
  }

  private int armCommand() {
    View cqc =
        View.over(hca.commands.get(CommandOpcode.CREATE_CQ).getFirst()).at(CreateCqIn.CQ_CONTEXT);
    long record = hca.umems.get(cqc.getInt(Cqc.DBR_UMEM_ID)).address() + cqc.get(Cqc.DBR_ADDR);
    return Memory.getInt(record + 4);
  }

  @Test
  void anArmedQueueReportsOneEvent() throws InterruptedException {
    completions.arm(true);
    assertThat(armCommand()).isEqualTo(1 << 24);
    assertThat(completions.awaitEvent(Duration.ZERO)).isFalse();
    hca.channels.getLast().raise(HcaEvent.COMPLETION, completions.number(), 0);
    assertThat(completions.awaitEvent(LONG)).isTrue();
    completions.arm(false);
    assertThat(armCommand()).isEqualTo(1 << 28);
  }

  @Test
  void waitingForEventsOfAQueueOfALostDeviceSaysSo() {
    hca.onProgress =
        () -> {
          throw new DeviceLostException("lost");
        };
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> completions.awaitEvent(Duration.ZERO));
  }

  @Test
  void aWakeupEndsOneWaitThatFindsNothing() throws InterruptedException {
    completions.wakeup();
    completions.wakeup();
    assertThat(completions.awaitCompletions(FOREVER)).isFalse();
    completions.wakeup();
    assertThat(completions.awaitEvent(FOREVER)).isFalse();
    post(1);
    complete(0);
    completions.wakeup();
    assertThat(completions.awaitCompletions(LONG)).isTrue();
    assertThat(completions.poll()).isNotNull();
    assertThat(completions.awaitCompletions(FOREVER)).isFalse();
    completions.arm(false);
    hca.channels.getLast().raise(HcaEvent.COMPLETION, completions.number(), 0);
    assertThat(completions.awaitEvent(LONG)).as("no wakeup is left").isTrue();
    queuePair.close();
    completions.close();
    completions.wakeup();
  }

  @Test
  void theMostNegativeTimeoutIsOver() throws InterruptedException {
    assertThat(completions.awaitCompletions(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
    assertThat(completions.awaitEvent(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
  }

  @Test
  void aQueueThatTheDeviceKeepsStillHasItsEvents() throws InterruptedException {
    queuePair.close();
    completions.arm(false);
    hca.busy.add("CQ");
    assertThatIllegalStateException().isThrownBy(completions::close);
    hca.channels.getLast().raise(HcaEvent.COMPLETION, completions.number(), 0);
    assertThat(completions.awaitEvent(LONG)).isTrue();
    hca.channels.get(1).raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("has overrun");
    hca.busy.clear();
  }

  @Test
  void anOverrunWakesAWaitingThread() {
    completions.arm(false);
    hca.channels.getLast().raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    assertThatIllegalStateException()
        .isThrownBy(() -> completions.awaitEvent(LONG))
        .withMessageContaining("overrun");
  }

  @Test
  void aClosedQueueRefusesEverything() {
    queuePair.close();
    completions.arm(false);
    completions.close();
    completions.close();
    assertThat(hca.channels.getLast().closed).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("is closed");
    assertThatIllegalStateException().isThrownBy(() -> completions.poll(completion -> {}));
    assertThatIllegalStateException().isThrownBy(() -> completions.arm(false));
    assertThatIllegalStateException().isThrownBy(() -> completions.awaitEvent(LONG));
    assertThatIllegalStateException().isThrownBy(() -> completions.awaitCompletions(LONG));
    ProtectionDomain domain = device.allocateProtectionDomain();
    assertThatIllegalStateException().isThrownBy(() -> domain.rcQueuePair(completions).create());
  }

  @Test
  void everyWaitForAnOverrunQueueFailsAtOnce() {
    completions.arm(false);
    hca.channels.getLast().raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(CompletionQueueFailedException.class)
          .isThrownBy(() -> completions.awaitCompletions(SHORT));
      assertThatExceptionOfType(CompletionQueueFailedException.class)
          .isThrownBy(() -> completions.awaitEvent(SHORT));
    }
  }

  @Test
  void theFirstWaitForAQueueThatHasOverrunFailsAtOnce() {
    assertThat(completions.poll()).isNull();
    hca.channels.get(1).raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    assertThatExceptionOfType(CompletionQueueFailedException.class)
        .isThrownBy(() -> completions.awaitCompletions(SHORT));
  }

  @Test
  void aPollForNoCompletionsDoesNotMakeTheQueueLookEmpty() {
    post(1);
    complete(0);
    queuePair.close();
    assertThat(completions.poll(completion -> {}, 0)).isZero();
    assertThat(completions.poll(completion -> {}, 0)).isZero();
    RcQueuePair next = device.allocateProtectionDomain().rcQueuePair(completions).create();
    assertThat(hca.lastCommand(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC).getInt(Qpc.USER_INDEX))
        .isEqualTo(1);
    assertThat(completions.poll()).isNull();
    next.close();
  }
}
