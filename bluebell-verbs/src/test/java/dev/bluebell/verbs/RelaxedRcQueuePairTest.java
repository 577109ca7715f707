package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.wqe.ControlSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue pair for relaxed ordering signals only fenced requests. */
class RelaxedRcQueuePairTest {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(16);
  private final RelaxedRcQueuePair queuePair =
      Connected.toItself(
          domain.rcQueuePair(completions).sendQueue(8).receiveQueue(0).relaxedOrdering().create());

  @AfterEach
  void close() {
    device.close();
  }

  /** Fence and completion mode of a request of one WQEBB. */
  private int flags(int index) {
    MemorySegment ring =
        hca.umems.get(hca.command(CommandOpcode.CREATE_QP).getInt(CreateQpIn.WQ_UMEM_ID));
    return ControlSegment.fmCeSe(ring.get(WORD, 64L * index + 8));
  }

  @Test
  void signalledRequestsAreFenced() {
    queuePair.write(0x1000, 1).gather(0x2000, 8, 2).unsignaled(1);
    queuePair.read(0x1000, 1).scatter(0x2000, 8, 2).fence().signaled(2);
    queuePair.nop().signaled(3);
    queuePair.ringDoorbell();
    int fence = ControlSegment.FENCE_SMALL_AND_FENCE;
    assertThat(flags(0)).isZero();
    assertThat(flags(1)).isEqualTo(fence | ControlSegment.CE_ALWAYS);
    assertThat(flags(2)).isEqualTo(fence | ControlSegment.CE_ALWAYS);
  }

  @Test
  void aQueueWithoutASignalledRequestIsNotFilled() {
    for (int i = 0; i < 7; i++) {
      queuePair.send().unsignaled(i);
    }
    assertThatIllegalStateException().isThrownBy(() -> queuePair.send().unsignaled(7));
    queuePair.sendImmediate(1).fence().signaled(7);
    assertThat(queuePair.freeWqebbs()).isZero();
  }

  @Test
  void onTheDeviceItIsAReliableConnection() {
    assertThat(hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC).getInt(Qpc.ST)).isZero();
    assertThat(hca.commands).containsKey(CommandOpcode.RTR2RTS_QP);
    queuePair.modifyAccess(Access.REMOTE_READ);
    assertThat(hca.commands).containsKey(CommandOpcode.RTS2RTS_QP);
  }
}
