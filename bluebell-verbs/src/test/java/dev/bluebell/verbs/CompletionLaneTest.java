package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Teardown;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests the fast lane, and the queue pair that a completion names. The test plays the device. */
class CompletionLaneTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final PlayedCompletions played = new PlayedCompletions(hca);
  private final List<RcQueuePair> queuePairs = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();

  private RcQueuePair create() {
    RcQueuePair queuePair = Connected.toItself(domain.rcQueuePair(completions).create());
    queuePairs.add(queuePair);
    for (int i = 0; i < 8; i++) {
      queuePair.nop().signaled(10 * queuePairs.size() + i);
      queuePair.receive().empty().post(10 * queuePairs.size() + i);
    }
    queuePair.ringDoorbell();
    queuePair.ringReceiveDoorbell();
    return queuePair;
  }

  private void complete(int opcode, int queuePair, int counter) {
    boolean fails = opcode >= CqeOpcode.SIG_ERR;
    played.write(
        opcode,
        queuePair,
        queuePairs.get(queuePair).number(),
        counter,
        fails ? Cqe.errorWord(0, Syndrome.WR_FLUSH_ERR) : 0);
  }

  private final class Writer implements LaneHandler<RcQueuePair> {
    @Override
    public void sent(RcQueuePair queuePair, long id) {
      seen.add("sent %d on %d".formatted(id, queuePairs.indexOf(queuePair)));
    }

    @Override
    public void received(RcQueuePair queuePair, Completion completion) {
      seen.add("received %d on %d".formatted(completion.id(), queuePairs.indexOf(queuePair)));
      assertThat(completion.queuePair()).isSameAs(queuePair);
    }

    @Override
    public void failed(RcQueuePair queuePair, Completion completion) {
      seen.add(
          "%s of %d on %d"
              .formatted(completion.status(), completion.id(), queuePairs.indexOf(queuePair)));
    }
  }

  @Test
  void aLaneReportsCompletionsOfManyQueuePairs() {
    CompletionLane<RcQueuePair> lane = completions.lane(RcQueuePair.class);
    create();
    create();
    complete(CqeOpcode.REQ, 0, 0);
    complete(CqeOpcode.REQ, 0, 2);
    complete(CqeOpcode.REQ, 1, 0);
    complete(CqeOpcode.RESP_SEND, 1, 0);
    complete(CqeOpcode.REQ, 0, 3);
    complete(CqeOpcode.RESP_ERR, 0, 0);
    complete(CqeOpcode.REQ_ERR, 1, 1);
    assertThat(lane.poll(new Writer(), 3)).isEqualTo(3);
    assertThat(played.consumerIndex()).isEqualTo(3);
    assertThat(lane.poll(new Writer())).isEqualTo(4);
    assertThat(seen)
        .containsExactly(
            "sent 10 on 0",
            "sent 12 on 0",
            "sent 20 on 1",
            "received 20 on 1",
            "sent 13 on 0",
            "WORK_REQUEST_FLUSHED of 10 on 0",
            "WORK_REQUEST_FLUSHED of 21 on 1");
    assertThat(queuePairs.get(0).freeWqebbs()).isEqualTo(60);
    assertThat(lane.poll(new Writer())).isZero();
    assertThat(hca.progressCalls).isEqualTo(1);
  }

  @Test
  void theLaneAndTheOtherPollsMayBeMixed() {
    CompletionLane<RcQueuePair> lane = completions.lane(RcQueuePair.class);
    create();
    for (int i = 0; i < 8; i++) {
      complete(CqeOpcode.REQ, 0, i);
    }
    assertThat(lane.poll(new Writer(), 2)).isEqualTo(2);
    Completion next = completions.poll();
    assertThat(next).isNotNull();
    assertThat(next.id()).isEqualTo(12);
    assertThat(completions.poll(completion -> seen.add("other"), 2)).isEqualTo(2);
    assertThat(lane.poll(new Writer())).isEqualTo(3);
    assertThat(seen).contains("sent 10 on 0", "sent 11 on 0", "other", "sent 17 on 0");
  }

  @Test
  void aQueueWithALaneRefusesOtherKinds() {
    create();
    CompletionLane<RcQueuePair> lane = completions.lane(RcQueuePair.class);
    assertThat(completions.lane(RcQueuePair.class)).isNotSameAs(lane);
    assertThatIllegalStateException()
        .isThrownBy(() -> completions.lane(QueuePair.class))
        .withMessageContaining("already has a lane for RcQueuePair");
    ((CompletionQueueImpl) completions).admit((DeviceObject) create());
  }

  /** Has neither a name nor, the first time, a hash code. */
  private static final class Unlucky extends DeviceObject {
    private boolean isHashed;

    Unlucky(DeviceContext device) {
      super(device, new Teardown(), List.of());
    }

    @Override
    public int hashCode() {
      if (!isHashed) {
        isHashed = true;
        throw new OutOfMemoryError("as the test says");
      }
      return super.hashCode();
    }

    @Override
    public String toString() {
      throw new OutOfMemoryError("as the test says");
    }
  }

  @Test
  void anObjectThatCanNotBeRegisteredIsClosedWhateverTheReason() {
    CompletionLane<RcQueuePair> lane = completions.lane(RcQueuePair.class);
    assertThat(lane).isNotNull();
    DeviceContext context = ((CompletionQueueImpl) completions).device();
    DeviceObject added = new Unlucky(context);
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> DeviceObject.add(added));
    assertThat(added.lifetime().isClosed()).isTrue();
    Unlucky refused = new Unlucky(context);
    refused.isHashed = true;
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> ((CompletionQueueImpl) completions).admit(refused));
    assertThat(refused.lifetime().isClosed()).isTrue();
  }

  @Test
  void objectsThatALaneRefusesAreClosed() {
    FakeHca matching = new FakeHca();
    matching.caps.set(CmdHcaCap.TAG_MATCHING, true).set(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ, 10);
    try (Device open = Device.over(matching)) {
      ProtectionDomain owner = open.allocateProtectionDomain();
      SharedReceiveQueue shared = owner.sharedReceiveQueue().create();
      XrcDomain xrcDomain = open.allocateXrcDomain();
      CompletionQueue free = open.createCompletionQueue(64);
      CompletionQueue taken = open.createCompletionQueue(64);
      CompletionLane<RcQueuePair> lane = taken.lane(RcQueuePair.class);
      List<OpenObject> before = open.openObjects();
      List<Supplier<?>> refused =
          List.of(
              owner.ucQueuePair(taken)::create,
              owner.ucQueuePair(free).receiveCompletions(taken)::create,
              owner.dcInitiator(taken).memoryCopies(true)::create,
              owner.dcTarget(taken, shared)::create,
              owner.tagMatchingReceiveQueue(taken)::create,
              owner.xrcSharedReceiveQueue(xrcDomain, taken)::create);
      for (Supplier<?> each : refused) {
        assertThatIllegalStateException()
            .isThrownBy(each::get)
            .withMessageContaining("has a lane for RcQueuePair only");
        assertThat(open.openObjects()).isEqualTo(before);
      }
      assertThat(lane.poll(new Writer())).isZero();
      taken.close();
      free.close();
    }
  }

  @Test
  void aClosedQueueHasNoLane() {
    CompletionLane<RcQueuePair> lane = completions.lane(RcQueuePair.class);
    completions.close();
    assertThatIllegalStateException().isThrownBy(() -> lane.poll(new Writer()));
    assertThatIllegalStateException().isThrownBy(() -> completions.lane(RcQueuePair.class));
  }

  @Test
  void aCompletionNamesItsQueuePairAmongMany() {
    for (int i = 0; i < 100; i++) {
      create();
    }
    for (int i = 0; i < 50; i++) {
      complete(i % 2 == 0 ? CqeOpcode.REQ : CqeOpcode.RESP_SEND, 7 * i % 100, 0);
    }
    List<QueuePair> named = new ArrayList<>();
    assertThat(completions.poll(completion -> named.add(completion.queuePair()))).isEqualTo(50);
    for (int i = 0; i < 50; i++) {
      assertThat(named.get(i)).isSameAs(queuePairs.get(7 * i % 100));
    }
  }

  @Test
  void aCompletionThatIsKeptDoesNotNameAClosedQueuePair() {
    RcQueuePair queuePair = create();
    complete(CqeOpcode.REQ, 0, 0);
    Completion completion = completions.poll();
    assertThat(completion).isNotNull();
    assertThat(completion.queuePair()).isSameAs(queuePair);
  }

  @Test
  void resetAndDestroyReturnTheRequestsThatNeverComplete() {
    RcQueuePair first = create();
    complete(CqeOpcode.REQ, 0, 1);
    complete(CqeOpcode.RESP_SEND, 0, 0);
    assertThat(completions.poll(completion -> {})).isEqualTo(2);
    assertThat(first.pending().sends()).containsExactly(12, 13, 14, 15, 16, 17);
    PendingRequests lost = first.reset();
    assertThat(lost.sends()).containsExactly(12, 13, 14, 15, 16, 17);
    assertThat(lost.receives()).containsExactly(11, 12, 13, 14, 15, 16, 17);
    assertThat(first.pending().sends()).isEmpty();
    Connected.toItself(first).nop().signaled(99);
    assertThat(first.destroy()).hasToString("sends [99], receives []");
    assertThat(first.destroy()).hasToString("sends [], receives []");
    RcQueuePair second = create();
    second.close();
    assertThat(second.destroy().sends()).hasSize(8);
  }
}
