package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Teardown;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the queue pair that a completion names, and the requests that it returns at its end. The
 * test plays the device.
 */
class CompletedQueuePairTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final PlayedCompletions played = new PlayedCompletions(hca);
  private final List<RcQueuePair> queuePairs = new ArrayList<>();

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
    played.write(opcode, queuePair, queuePairs.get(queuePair).number(), counter, 0);
  }

  /** Has no name, and a hash code only when asked again. */
  private static final class Unlucky extends DeviceObject {
    private boolean hasFailed;

    Unlucky(DeviceContext device) {
      super(device, new Teardown(), List.of());
    }

    @Override
    public int hashCode() {
      if (hasFailed) {
        return 0;
      }
      hasFailed = true;
      throw new OutOfMemoryError("as the test says");
    }

    @Override
    public String toString() {
      throw new OutOfMemoryError("as the test says");
    }
  }

  @Test
  void anObjectThatCanNotBeRegisteredIsClosedWhateverTheReason() {
    DeviceContext context = ((CompletionQueueImpl) completions).device();
    DeviceObject added = new Unlucky(context);
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> DeviceObject.create(context, () -> added));
    assertThat(added.lifetime().isClosed()).isTrue();
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
    queuePair.close();
    assertThatIllegalStateException()
        .isThrownBy(completion::queuePair)
        .withMessageContaining("is closed");
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
