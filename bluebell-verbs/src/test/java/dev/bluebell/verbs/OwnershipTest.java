package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.bluebell.hca.cqe.CqeOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue belongs to one thread at a time, and rejects any other. */
class OwnershipTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(16);
  private final RcQueuePair queuePair =
      Connected.toItself(domain.rcQueuePair(completions).sendQueue(8).receiveQueue(8).create());
  private final PlayedCompletions played = new PlayedCompletions(hca);
  private final ExecutorService other =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("other").factory());

  @AfterEach
  void close() {
    other.close();
    device.close();
  }

  /** Runs an action on the other thread, and returns the exception that it throws. */
  private Throwable elsewhere(ThrowingCallable action) throws Exception {
    return other
        .submit(
            () -> {
              try {
                action.call();
                return null;
              } catch (Throwable e) {
                return e;
              }
            })
        .get(30, TimeUnit.SECONDS);
  }

  private void post() {
    queuePair.nop().signaled(1);
    queuePair.ringDoorbell();
  }

  @Test
  void aSecondThreadThatPostsIsRefusedWithTheNameOfTheOwner() throws Exception {
    post();
    assertThat(elsewhere(this::post))
        .isInstanceOf(NotOwnerException.class)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "the send queue of QP 0x%x belongs to thread '%s', and thread 'other' uses it",
            queuePair.number(), Thread.currentThread().getName())
        .hasMessageContaining("handOver()");
    assertThat(elsewhere(queuePair::ringDoorbell)).isInstanceOf(NotOwnerException.class);
    assertThat(queuePair.freeWqebbs()).isEqualTo(7);
  }

  @Test
  void aVirtualThreadWithoutANameIsNamedByItsNumber() throws Exception {
    post();
    AtomicReference<String> said = new AtomicReference<>();
    Thread virtual =
        Thread.startVirtualThread(
            () -> {
              try {
                post();
              } catch (NotOwnerException e) {
                said.set(e.getMessage());
              }
            });
    virtual.join();
    assertThat(said.get())
        .contains(", and virtual thread #%d uses it".formatted(virtual.threadId()));
  }

  @Test
  void sendsAndReceivesMayBeOfDifferentThreads() throws Exception {
    post();
    assertThat(elsewhere(() -> queuePair.receive().empty().post(1))).isNull();
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(queuePair::receive);
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(queuePair::ringReceiveDoorbell);
  }

  @Test
  void receivesPostedBeforeConnectingDoNotMakeAnOwner() throws Exception {
    RcQueuePair fresh = domain.rcQueuePair(completions).receiveQueue(8).create();
    fresh.receive().empty().post(1);
    fresh.ringReceiveDoorbell();
    fresh.connect(fresh.endpoint());
    assertThat(elsewhere(() -> fresh.receive().empty().post(2))).isNull();
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(fresh::receive);
  }

  @Test
  void aThreadCanHandAQueueOverToAnother() throws Exception {
    post();
    queuePair.handOver();
    assertThat(elsewhere(this::post)).isNull();
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(this::post);
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(queuePair::handOver);
    assertThat(elsewhere(queuePair::handOver)).isNull();
    assertThatNoException().isThrownBy(this::post);
  }

  @Test
  void eachOfTwoThreadsHandsOverItsOwnQueueOfAQueuePair() throws Exception {
    ThrowingCallable receive = () -> queuePair.receive().empty().post(1);
    post();
    assertThat(elsewhere(receive)).isNull();
    assertThatNoException().isThrownBy(queuePair::handOver);
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(receive);
    assertThat(elsewhere(this::post)).isNull();
    assertThat(elsewhere(queuePair::handOver)).isNull();
    assertThatNoException().isThrownBy(receive);
    assertThatNoException().isThrownBy(this::post);
  }

  @Test
  void theThreadThatReceivesHandsOverTheReceiveQueueAlone() throws Exception {
    post();
    assertThat(elsewhere(() -> queuePair.receive().empty().post(1))).isNull();
    assertThat(elsewhere(queuePair::handOver)).isNull();
    assertThatNoException().isThrownBy(() -> queuePair.receive().empty().post(2));
    assertThat(elsewhere(this::post)).isInstanceOf(NotOwnerException.class);
  }

  @Test
  void connectingByAThirdThreadReleasesTheReceiveQueueToo() throws Exception {
    RcQueuePair fresh = domain.rcQueuePair(completions).receiveQueue(8).create();
    fresh.receive().empty().post(1);
    assertThat(elsewhere(() -> fresh.connect(fresh.endpoint()))).isNull();
    assertThat(elsewhere(() -> fresh.receive().empty().post(2))).isNull();
  }

  @Test
  void aThreadDropsNoRequestThatAnotherThreadIsBuilding() throws Exception {
    ReceiveLanding half = queuePair.receive();
    assertThat(elsewhere(this::post)).isNull();
    assertThat(elsewhere(() -> assertThat(queuePair.dropUnfinished()).isFalse())).isNull();
    half.empty().post(1);
    assertThat(elsewhere(() -> queuePair.nop())).isNull();
    assertThat(queuePair.dropUnfinished()).isFalse();
    assertThat(elsewhere(() -> assertThat(queuePair.dropUnfinished()).isTrue())).isNull();
  }

  @Test
  void anUnfinishedRequestCanBeDroppedAfterItsQueueWasHandedOver() throws Exception {
    RequestModifiers half = queuePair.nop();
    queuePair.handOver();
    assertThat(elsewhere(() -> assertThat(queuePair.dropUnfinished()).isTrue())).isNull();
    assertThatIllegalStateException().isThrownBy(() -> half.signaled(1));
  }

  @Test
  void aThreadThatEndsLeavesItsQueuesToTheNext() throws InterruptedException {
    Thread last =
        Thread.ofPlatform()
            .start(
                () -> {
                  post();
                  completions.poll();
                });
    last.join();
    assertThat(queuePair.pending().sends()).containsExactly(1);
    assertThatNoException().isThrownBy(this::post);
    assertThatNoException().isThrownBy(() -> completions.poll());
  }

  @Test
  void aSecondThreadThatPollsIsRefusedWithTheNameOfTheQueue() throws Exception {
    assertThat(completions.poll()).isNull();
    assertThat(elsewhere(() -> completions.poll()))
        .isInstanceOf(NotOwnerException.class)
        .hasMessageContaining("CQ 0x%x belongs to thread", completions.number());
    assertThat(elsewhere(() -> completions.poll(completion -> {})))
        .isInstanceOf(NotOwnerException.class);
    assertThat(elsewhere(() -> completions.arm(false))).isInstanceOf(NotOwnerException.class);
    completions.handOver();
    assertThat(elsewhere(() -> completions.poll())).isNull();
  }

  @Test
  void aResetWhileAnotherThreadPollsIsRefusedAndChangesNothing() throws Exception {
    post();
    assertThat(elsewhere(() -> completions.poll())).isNull();
    assertThatExceptionOfType(NotOwnerException.class)
        .isThrownBy(queuePair::reset)
        .withMessageContaining("CQ 0x%x belongs to thread 'other'", completions.number());
    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(queuePair::destroy);
    assertThat(queuePair.pending().sends()).containsExactly(1);
    played.write(CqeOpcode.REQ, 0, queuePair.number(), 0, 0);
    assertThat(elsewhere(() -> assertThat(completions.poll().id()).isEqualTo(1))).isNull();
    assertThat(elsewhere(completions::handOver)).isNull();
    assertThat(queuePair.reset().sends()).isEmpty();
    // It was borrowed only.
    assertThat(elsewhere(() -> completions.poll())).isNull();
  }

  @Test
  void aResetByAnotherThreadThanThePostersIsRefused() throws Exception {
    post();
    assertThat(elsewhere(queuePair::reset)).isInstanceOf(NotOwnerException.class);
    assertThat(elsewhere(queuePair::destroy)).isInstanceOf(NotOwnerException.class);
    queuePair.handOver();
    assertThat(elsewhere(queuePair::reset)).isNull();
  }

  @Test
  void sharedReceiveQueuesHaveAnOwnerToo() throws Exception {
    SharedReceiveQueue shared = domain.sharedReceiveQueue().requests(7).create();
    shared.receive().empty().post(1);
    assertThat(elsewhere(shared::receive)).isInstanceOf(NotOwnerException.class);
    assertThat(elsewhere(shared::ringDoorbell)).isInstanceOf(NotOwnerException.class);
    shared.handOver();
    assertThat(elsewhere(shared::ringDoorbell)).isNull();
  }

  @Test
  void postingToAnUnconnectedQueuePairIsRefused() {
    RcQueuePair lonely = domain.rcQueuePair(completions).create();
    assertThatExceptionOfType(QueuePairStateException.class)
        .isThrownBy(() -> lonely.write(1, 2).signaled(1))
        .withMessageContaining("QP 0x%x is in INIT: connect it", lonely.number());
    assertThatNoException().isThrownBy(() -> lonely.receive().empty().post(1));
    lonely.connect(lonely.endpoint());
    lonely.nop().signaled(1);
    lonely.reset();
    assertThatExceptionOfType(QueuePairStateException.class).isThrownBy(lonely::nop);
  }

  @Test
  void aQueuePairInErrorTakesRequestsThatAreFlushed() {
    queuePair.toError();
    assertThatNoException().isThrownBy(this::post);
  }

  @Test
  void aQueueWithRoomRefusesNoRequest() {
    int posted = 0;
    while (queuePair.hasRoom()) {
      queuePair.nop().signaled(posted++);
    }
    assertThat(posted).isEqualTo(8);
    assertThatExceptionOfType(QueueFullException.class).isThrownBy(queuePair::nop);
    queuePair.ringDoorbell();
    played.write(CqeOpcode.REQ, 0, queuePair.number(), 3, 0);
    assertThat(queuePair.hasRoom()).isFalse();
    assertThat(completions.poll()).isNotNull();
    assertThat(queuePair.hasRoom()).isTrue();
  }

  @Test
  void hasRoomMeansRoomForTheLongestRequestWithItsFill() {
    RcQueuePair filled =
        Connected.toItself(
            domain.rcQueuePair(completions).sendQueue(2).maxInline(220).nopFill(true).create());
    // 16 WQEBBs, a request of 4, and a fill of 3 at most.
    for (int i = 0; i < 10; i++) {
      assertThat(filled.hasRoom()).isTrue();
      filled.nop().signaled(i);
    }
    assertThat(filled.hasRoom()).isFalse();
  }

  @Test
  void askingForRoomThatNeverComesIsRefused() {
    RcQueuePair longer =
        Connected.toItself(domain.rcQueuePair(completions).sendQueue(2).maxInline(220).create());
    for (int i = 0; i < 6; i++) {
      longer.nop().unsignaled(i);
    }
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(longer::hasRoom)
        .isNotInstanceOf(QueueFullException.class)
        .withMessageContaining("none of its requests is signalled");
  }

  @Test
  void aQueueFullOfUnrungRequestsSaysThatItsDoorbellMustRing() {
    for (int i = 0; i < 8; i++) {
      queuePair.nop().signaled(i);
    }
    assertThat(queuePair.hasRoom()).isFalse();
    assertThatExceptionOfType(QueueFullException.class)
        .isThrownBy(queuePair::nop)
        .withMessageContaining("no signalled request was rung: call ringDoorbell()");
    queuePair.ringDoorbell();
    assertThatExceptionOfType(QueueFullException.class)
        .isThrownBy(queuePair::nop)
        .withMessageContaining("poll the completion queue")
        .withMessageNotContaining("ringDoorbell");
  }

  @Test
  void aKeyRequestMayNeedMoreThanTheRoomOfTheLongestRequestWithData() {
    MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);
    MemoryWindow window = domain.allocateWindow(WindowType.TYPE_2);
    for (int i = 0; i < 6; i++) {
      queuePair.nop().signaled(i);
    }
    assertThat(queuePair.hasRoom()).isTrue();
    assertThat(queuePair.freeWqebbs()).isEqualTo(2);
    assertThatExceptionOfType(QueueFullException.class)
        .isThrownBy(
            () ->
                queuePair
                    .bind(window, region, 0, 64, WindowRights.of(Access.REMOTE_READ))
                    .signaled(6));
  }

  @Test
  void aRefusedBindDoesNotChangeTheOneThatIsHalfBuilt() {
    MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);
    MemoryWindow window = domain.allocateWindow(WindowType.TYPE_2);
    MemoryWindow other = domain.allocateWindow(WindowType.TYPE_2);
    WindowRights rights = WindowRights.of(Access.REMOTE_READ);
    BindEnd half = queuePair.bind(window, region, 0, 8, rights);
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.bind(other, region, 8, 8, rights))
        .withMessageContaining("half built");
    assertThat(half.signaled(1)).isEqualTo(window.rkey());
    assertThat(window.isBound()).isTrue();
    assertThat(window.remote().length()).isEqualTo(8);
    assertThat(other.isBound()).isFalse();
  }

  @Test
  void memoryOfAQueueIsReachableWhileARequestIs() {
    RcQueuePair forgotten = Connected.toItself(domain.rcQueuePair(completions).create());
    WeakReference<MemorySegment> memory =
        new WeakReference<>(hca.umems.get(Collections.max(hca.umems.keySet())));
    ReceiveLanding half = forgotten.receive();
    forgotten.close();
    forgotten = null;
    System.gc();
    assertThat(memory.get()).isNotNull();
    Reference.reachabilityFence(half);
  }

  @Test
  void aKeyRequestThatNeverFitsAsksForALargerSendQueue() {
    MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);
    MemoryWindow window = domain.allocateWindow(WindowType.TYPE_2);
    RcQueuePair small = Connected.toItself(domain.rcQueuePair(completions).sendQueue(2).create());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                small.bind(window, region, 0, 64, WindowRights.of(Access.REMOTE_READ)).signaled(1))
        .withMessageContaining("longer than the 128 of QP 0x%x", small.number())
        .withMessageContaining("larger sendQueue");
  }

  @Test
  void aSecondThreadThatWaitsIsRefused() throws Exception {
    assertThat(completions.poll()).isNull();
    assertThat(elsewhere(() -> completions.awaitCompletions(Duration.ZERO)))
        .isInstanceOf(NotOwnerException.class);
    assertThat(elsewhere(() -> completions.awaitEvent(Duration.ZERO)))
        .isInstanceOf(NotOwnerException.class);
    completions.handOver();
    assertThat(elsewhere(() -> completions.awaitEvent(Duration.ZERO))).isNull();
  }

  @Test
  void aSecondThreadThatWaitsForAChannelOfTheQueueIsRefused() throws Exception {
    CompletionChannel channel = device.openCompletionChannel();
    channel.add(completions);
    assertThat(completions.poll()).isNull();
    assertThat(elsewhere(() -> channel.await(Duration.ZERO)))
        .isInstanceOf(NotOwnerException.class)
        .hasMessageContaining("CQ 0x%x belongs to thread", completions.number());
    completions.handOver();
    assertThat(elsewhere(() -> channel.await(Duration.ZERO))).isNull();
  }
}
