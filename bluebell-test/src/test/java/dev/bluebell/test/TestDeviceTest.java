package dev.bluebell.test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.OpenObject;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device that a test steps, and the messages of its assertions. */
class TestDeviceTest {
  private static void send(RdmaEnd end, long id) {
    end.queuePair().send().signaled(id);
    end.queuePair().ringDoorbell();
  }

  @ParameterizedTest
  @EnumSource(Time.class)
  void aRequestCompletesHoweverTimePasses(Time time) throws InterruptedException {
    try (TestDevice device = TestDevice.with().time(time).open()) {
      RdmaPair pair = device.pair();
      pair.right().receive(1, 5);
      send(pair.left(), 4);
      assertThat(pair.left().completions().awaitCompletions(Duration.ofSeconds(30))).isTrue();
      pair.left().expectSuccess(4);
      pair.right().expectSuccess(5);
      pair.right().expectNothing();
      assertThat(pair.right().completions().awaitCompletions(Duration.ofMillis(1))).isFalse();
      pair.reconnect();
      pair.right().receive(1, 6);
      send(pair.left(), 7);
      assertThat(pair.left().await(1)).extracting(Done::id).containsExactly(7L);
    }
  }

  @Test
  void aHeldDeviceDoesNothingThatItIsNotAskedFor(@Rdma(time = Time.HELD) TestDevice device) {
    RdmaPair pair = device.pair();
    device.settle();
    assertThat(device.step()).isZero();
    pair.left().queuePair().nop().signaled(1);
    pair.left().queuePair().ringDoorbell();
    assertThat(pair.left().queuePair().pending().sends()).containsExactly(1);
    assertThat(device.step()).isPositive();
    device.settle();
    long before = device.clock().nanos();
    pair.left().expectSuccess(1);
    assertThat(device.clock().nanos()).isEqualTo(before);
    device.advance(Duration.ofSeconds(1));
    assertThat(device.clock().nanos()).isEqualTo(before + 1_000_000_000);
  }

  @Test
  void aMissingCompletionIsExplainedAtOnceInHeldTime(@Rdma(time = Time.HELD) RdmaPair pair) {
    pair.left().queuePair().send().signaled(1);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> pair.left().await())
        .withMessageStartingWith(
            "Time.HELD: the clock stands until advance(…) moves it.\n"
                + "waited for 1 completion, and got [].\n")
        .withMessageContaining("call ringDoorbell()")
        .satisfies(e -> assertThat(e.getMessage().lines()).allMatch(line -> line.length() < 400));
  }

  @Test
  void moreReceivesThanFitAreRefusedWithTheRoom(@Rdma RdmaPair pair) {
    pair.right().receive(50, 0);
    assertThatExceptionOfType(QueueFullException.class)
        .isThrownBy(() -> pair.right().receive(15, 0))
        .withMessageContaining("room for 64 receives, and 14 of them are free, not 15")
        .withMessageContaining("rcQueuePair(completions()).receiveQueue(15)");
    pair.right().receive(14, 50);
    assertThat(pair.right().queuePair().freeReceives()).isZero();
  }

  @Test
  void aPairHasRoomForTheRequestsThatTheDocumentationStates(@Rdma RdmaPair pair) {
    pair.right().receive(64, 0);
    for (int i = 0; i < 64; i++) {
      send(pair.left(), i);
    }
    assertThat(pair.left().await(64)).allMatch(done -> done.status() == CompletionStatus.SUCCESS);
    assertThat(pair.right().await(64)).hasSize(64);
  }

  @ParameterizedTest
  @EnumSource(
      value = Time.class,
      names = {"VIRTUAL", "HELD"})
  void aDeviceOnANetworkNeedsRealTime(Time time) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestDevice.with().options("listen=127.0.9.2").time(time).open())
        .withMessageStartingWith("listen=127.0.9.2 connects devices, but with Time." + time)
        .withMessageContaining("use time = Time.REAL for all of them");
  }

  @Test
  void devicesOnANetworkReachEachOtherInRealTime(
      @Rdma(value = "listen=127.0.9.2", time = Time.REAL) RdmaPair a,
      @Rdma(value = "listen=127.0.9.3", time = Time.REAL) RdmaPair b) {
    RcQueuePair left = a.left().queuePair();
    RcQueuePair right = b.right().queuePair();
    left.reset();
    right.reset();
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    b.right().receive(1, 7);
    send(a.left(), 1);
    a.left().expectSuccess(1);
    b.right().expectSuccess(7);
  }

  @Test
  void aDeviceThatSendsToItselfOverTheNetworkMayUseVirtualTime(
      @Rdma("listen=127.0.9.4,hairpin=on") RdmaPair pair) {
    pair.right().receive(1, 7);
    send(pair.left(), 1);
    pair.left().expectSuccess(1);
    pair.right().expectSuccess(7);
  }

  @Test
  void aDeviceAndItsDiagnosisHaveATextThatSaysSomething(@Rdma TestDevice device) {
    assertThat(device).hasToString(device.device().name() + " under test (Time.VIRTUAL)");
    HcaDiagnosis diagnosis = device.device().diagnosis().orElseThrow();
    assertThat(diagnosis).hasToString("nothing was explained");
    RdmaPair pair = device.pair();
    pair.left().queuePair().write(1, 2).inline(new byte[1], 0, 1).signaled(3);
    pair.left().queuePair().ringDoorbell();
    Done failed = pair.left().await();
    assertThat(diagnosis.toString()).contains(failed.explanation());
  }

  @Test
  void sharesAreInPercentInOptionsAndFractionsInTheBuilder() {
    try (TestDevice options = TestDevice.with().options("loss=30,seed=5").open();
        TestDevice builder = TestDevice.with().losing(0.3).seed(5).open()) {
      assertThat(timeOver(options)).isEqualTo(timeOver(builder));
    }
  }

  @Test
  void aMissingReceiveIsExplainedInVirtualTime(@Rdma RdmaPair pair) {
    send(pair.left(), 1);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> pair.left().await())
        .withMessageContaining("no receive WQE posted, and will do so until one is posted");
  }

  @Test
  void assertionsReportTheActualCompletion(@Rdma TestDevice device) {
    RdmaPair pair = device.pair();
    pair.left().queuePair().write(1, 2).inline(new byte[1], 0, 1).signaled(3);
    pair.left().queuePair().ringDoorbell();
    Done done = pair.left().await();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> done.expectSuccess(3))
        .withMessageContaining("expected SUCCESS of request 3, but got REMOTE_ACCESS_ERROR");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> done.expectExplained("weather"))
        .withMessageContaining("'weather'");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> device.expectExplained("weather"))
        .withMessageContaining("but the device explained")
        .withMessageContaining("rkey");
    pair.left().queuePair().nop().signaled(4);
    pair.left().queuePair().ringDoorbell();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> pair.left().expectNothing())
        .withMessageContaining("WORK_REQUEST_FLUSHED of request 4");
  }

  @Test
  void theFabricLosesAndTheSeedRepeatsIt() {
    assertThat(timeOver(3)).isEqualTo(timeOver(3)).isNotEqualTo(timeOver(4));
  }

  /** The time that 20 messages take. */
  private static long timeOver(long seed) {
    try (TestDevice device =
        TestDevice.with()
            .losing(0.2)
            .reordering(0.1)
            .duplicating(0.1)
            .delaying(Duration.ofNanos(100_000))
            .seed(seed)
            .open()) {
      return timeOver(device);
    }
  }

  private static long timeOver(TestDevice device) {
    RdmaPair pair = device.pair();
    pair.right().receive(20, 0);
    for (int i = 0; i < 20; i++) {
      send(pair.left(), i);
    }
    assertThat(pair.left().await(20)).allMatch(done -> done.explanation().isEmpty());
    return device.clock().nanos();
  }

  @Test
  void completionsCanBeLostOrDelayed() {
    try (TestDevice device =
        TestDevice.with()
            .time(Time.HELD)
            .failing(Fault.lateCompletion(Duration.ofMillis(1)).at(1))
            .failing(Fault.lostCompletion().at(3))
            .open()) {
      RdmaEnd left = device.pair().left();
      for (int i = 0; i < 4; i++) {
        left.queuePair().nop().signaled(i);
      }
      left.queuePair().ringDoorbell();
      left.expectNothing();
      device.advance(Duration.ofMillis(1));
      assertThat(left.await(3)).extracting(Done::id).containsExactly(0L, 1L, 3L);
    }
  }

  @Test
  void doorbellsCanBeLostOrDelayed() {
    try (TestDevice device =
        TestDevice.with()
            .time(Time.HELD)
            .failing(Fault.lostDoorbell().at(1))
            .failing(Fault.lateDoorbell(Duration.ofMillis(1)).at(2))
            .open()) {
      RdmaEnd left = device.pair().left();
      for (int i = 0; i < 2; i++) {
        left.queuePair().nop().signaled(i);
        left.queuePair().ringDoorbell();
        left.expectNothing();
      }
      device.advance(Duration.ofMillis(1));
      assertThat(left.await(2)).extracting(Done::id).containsExactly(0L, 1L);
    }
  }

  @Test
  void aFaultThatComesOnceSparesTheNextQueuePair() {
    try (TestDevice device =
        TestDevice.with().time(Time.HELD).failing(Fault.queuePairError().once()).open()) {
      RdmaEnd first = device.pair().left();
      RdmaEnd second = device.pair().left();
      for (RdmaEnd end : List.of(first, second)) {
        end.queuePair().nop().signaled(1);
        end.queuePair().ringDoorbell();
      }
      assertThat(first.await(1).getFirst().status())
          .isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
      assertThat(second.await(1).getFirst().status()).isEqualTo(CompletionStatus.SUCCESS);
      device.expectExplained("fail=qp-error@1:once");
    }
  }

  @Test
  void aQueuePairGoesToTheErrorState() {
    try (TestDevice device =
        TestDevice.with().time(Time.HELD).failing(Fault.queuePairError().at(2)).open()) {
      RdmaEnd left = device.pair().left();
      for (int i = 0; i < 3; i++) {
        left.queuePair().nop().signaled(i);
      }
      left.queuePair().ringDoorbell();
      assertThat(left.await(3))
          .extracting(Done::status)
          .containsExactly(
              CompletionStatus.SUCCESS,
              CompletionStatus.WORK_REQUEST_FLUSHED,
              CompletionStatus.WORK_REQUEST_FLUSHED);
      device.expectExplained("fail=qp-error@2");
    }
  }

  @Test
  void aReceiverIsNotReadyForATime() {
    Duration time = Duration.ofMillis(1);
    try (TestDevice device =
        TestDevice.with().time(Time.HELD).failing(Fault.receiverNotReady(time)).open()) {
      RdmaPair pair = device.pair();
      pair.right().receive(1, 0);
      send(pair.left(), 0);
      pair.left().expectNothing();
      device.advance(time.multipliedBy(2));
      assertThat(pair.left().await().status()).isEqualTo(CompletionStatus.SUCCESS);
      device.expectExplained("fail=rnr@1/1000");
    }
  }

  @Test
  void thePortGoesDownTheDeviceDiesAndAQueueOverruns() throws InterruptedException {
    assertThat(firstEvent(Fault.portDown()))
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.PORT_CHANGE, 1, HcaEvent.PORT_DOWN));
    assertThat(firstEvent(Fault.deviceDies()).type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
    assertThat(firstEvent(Fault.overrun()).type()).isEqualTo(AsyncEvent.Type.CQ_ERROR);
  }

  private static AsyncEvent firstEvent(Fault fault) throws InterruptedException {
    try (TestDevice device = TestDevice.with().failing(fault).open()) {
      RdmaEnd left = device.pair().left();
      left.queuePair().nop().signaled(1);
      left.queuePair().ringDoorbell();
      return requireNonNull(device.device().awaitEvent(Duration.ofSeconds(1)));
    }
  }

  @Test
  void thePortIsResetAndTheRequestArrivesLate() throws InterruptedException {
    Duration time = Duration.ofMillis(1);
    try (TestDevice device =
        TestDevice.with().time(Time.HELD).failing(Fault.portReset(time)).open()) {
      RdmaPair pair = device.pair();
      pair.right().receive(1, 0);
      send(pair.left(), 0);
      pair.left().expectNothing();
      device.advance(Duration.ofSeconds(1));
      pair.left().await().expectSuccess(0);
      for (int subtype : List.of(HcaEvent.PORT_DOWN, HcaEvent.PORT_ACTIVE)) {
        assertThat(device.device().awaitEvent(Duration.ZERO))
            .isEqualTo(new AsyncEvent(AsyncEvent.Type.PORT_CHANGE, 1, subtype));
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fault.portReset(Duration.ZERO))
        .withMessageContaining("portDown() never comes up again");
  }

  @Test
  void theClockDoesNotGoBack() {
    try (TestDevice device = TestDevice.open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.advance(Duration.ofSeconds(-1)))
          .withMessage("the clock cannot go back by PT1S");
    }
  }

  @Test
  void faultsOfTheOptionsHappenWithThoseThatAreAdded() {
    try (TestDevice device =
        TestDevice.with()
            .time(Time.HELD)
            .options("fail=remote-access@2")
            .failing(Fault.lostCompletion().at(1))
            .open()) {
      RdmaEnd left = device.pair().left();
      for (int i = 0; i < 2; i++) {
        left.queuePair().nop().signaled(i);
      }
      left.queuePair().ringDoorbell();
      assertThat(left.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
      device.expectExplained("fail=remote-access@2");
    }
  }

  @Test
  void aFaultThatDidNotHappenIsNotExplained() {
    Fault fault = Fault.request(CompletionStatus.REMOTE_OPERATION_ERROR).at(3);
    try (TestDevice device = TestDevice.with().losing(0).failing(fault).open()) {
      RdmaEnd left = device.pair().left();
      left.queuePair().nop().signaled(1);
      left.queuePair().ringDoorbell();
      left.expectSuccess(1);
      assertThat(device.explanations()).isEmpty();
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> device.expectExplained("injected"))
          .withMessageContaining("explained nothing");
    }
  }

  /** Expects that the seed of a device decided for a request that failed. */
  private static void expectSeed(int seed, TestDevice.Builder builder) {
    try (TestDevice device = builder.open()) {
      RdmaEnd left = device.pair().left();
      left.queuePair().nop().signaled(1);
      left.queuePair().ringDoorbell();
      assertThat(left.await().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
      device.expectExplained("fail=remote-access@100%,seed=" + seed);
    }
  }

  @Test
  void aDeviceHasOneSeedForFaultsOfItsOptionsAndForThoseThatAreAdded() {
    Fault all = Fault.request(CompletionStatus.REMOTE_ACCESS_ERROR).share(1);
    expectSeed(1, TestDevice.with().failing(all));
    expectSeed(7, TestDevice.with().failing(all).seed(7));
    expectSeed(7, TestDevice.with().options("fail=remote-access@100%").seed(7));
    expectSeed(7, TestDevice.with().options("fail=remote-access@100%,seed=3").seed(7));
    expectSeed(7, TestDevice.with().options("loss=0%,seed=7").failing(all));
    expectSeed(7, TestDevice.with().options("loss=0%,seed=3").failing(all).seed(7));
    expectSeed(7, TestDevice.with().options("reorder-memory=1,seed=7").failing(all));
  }

  @Test
  void faultsHappenToAShareOfRequests() {
    Fault half = Fault.request(CompletionStatus.RETRY_EXCEEDED).share(0.5);
    assertThat(half).hasToString("transport-retry-exc@50%");
    try (TestDevice device = TestDevice.with().failing(half).seed(2).open()) {
      int failed = 0;
      for (int i = 0; i < 16; i++) {
        RdmaPair pair = device.pair();
        pair.left().queuePair().nop().signaled(i);
        pair.left().queuePair().ringDoorbell();
        failed += pair.left().await().status() == CompletionStatus.SUCCESS ? 0 : 1;
      }
      assertThat(failed).isBetween(1, 15);
    }
  }

  @Test
  void invalidFaultsAndCallsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fault.request(CompletionStatus.SUCCESS))
        .withMessage("no request fails with SUCCESS");
    assertThatIllegalArgumentException().isThrownBy(() -> Fault.overrun().at(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Fault.overrun().share(2));
    for (Function<Duration, Fault> fault :
        List.<Function<Duration, Fault>>of(
            Fault::lateDoorbell, Fault::lateCompletion, Fault::receiverNotReady)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> fault.apply(Duration.ofSeconds(-1)))
          .withMessage("the time of a fault must be at least 0, not PT-1S");
    }
    try (TestDevice device = TestDevice.with().time(Time.REAL).open()) {
      assertThatIllegalStateException().isThrownBy(device::clock);
      assertThatIllegalStateException().isThrownBy(device::step);
    }
  }

  @Test
  void openObjectsAreListedWithThePlaceOfTheirCreation() {
    try (TestDevice device = TestDevice.open()) {
      RdmaPair pair = device.pair();
      device.expectNoLeaks();
      RcQueuePair other = pair.left().domain().rcQueuePair(pair.left().completions()).create();
      List<OpenObject> leaks = device.leaks();
      assertThat(leaks).singleElement().extracting(OpenObject::object).isSameAs(other);
      assertThat(leaks.getFirst().created().getFirst().getMethodName())
          .isEqualTo("openObjectsAreListedWithThePlaceOfTheirCreation");
      other.close();
      device.expectNoLeaks();
    }
  }
}
