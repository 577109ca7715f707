package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.RmpBitmask;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Creating, arming and closing shared receive queues. */
class SharedReceiveQueueTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void creationDescribesALinkedList() {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(20).maxScatter(4).create();
    assertThat(receives.requests()).isEqualTo(31);
    assertThat(receives.maxScatter()).isEqualTo(7);
    assertThat(receives.freeReceives()).isEqualTo(31);
    View context = hca.command(CommandOpcode.CREATE_RMP).at(CreateRmpIn.CTX);
    assertThat(context.getInt(Rmpc.STATE)).isEqualTo(Rmpc.STATE_RDY);
    View wq = context.at(Rmpc.WQ);
    assertThat(wq.getInt(Wq.WQ_TYPE)).isEqualTo(Wq.WQ_TYPE_LINKED_LIST);
    assertThat(wq.getInt(Wq.PD)).isEqualTo(domain.number());
    assertThat(wq.getInt(Wq.LOG_WQ_SZ)).isEqualTo(5);
    assertThat(wq.getInt(Wq.LOG_WQ_STRIDE)).isEqualTo(7);
    assertThat(wq.isSet(Wq.WQ_UMEM_VALID)).isTrue();
    assertThat(hca.umems.get(wq.getInt(Wq.WQ_UMEM_ID)).byteSize()).isEqualTo(4096);
    assertThat(wq.isSet(Wq.DBR_UMEM_VALID)).isTrue();
    assertThat(hca.umems).containsKey(wq.getInt(Wq.DBR_UMEM_ID));
  }

  @Test
  void creationOfAQueuePairNamesItsSharedReceiveQueue() {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().create();
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveFrom(receives).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.RQ_TYPE)).isEqualTo(Qpc.RQ_TYPE_SHARED);
    assertThat(qpc.getInt(Qpc.SRQN_RMPN_XRQN)).isEqualTo(receives.number());
    assertThat(queuePair.freeReceives()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(queuePair::receive)
        .withMessageContaining("receives from %s: post".formatted(receives));
  }

  @Test
  void aQueueThatIsUsedStays() {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().create();
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveFrom(receives).create();
    assertThatIllegalStateException()
        .isThrownBy(receives::close)
        .withMessageContaining("is still used by %s".formatted(queuePair));
    assertThatIllegalStateException().isThrownBy(domain::close);
    queuePair.close();
    receives.close();
    receives.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.rcQueuePair(completions).receiveFrom(receives).create())
        .withMessageContaining("is closed");
    assertThatIllegalStateException().isThrownBy(receives::receive);
    assertThatIllegalStateException().isThrownBy(() -> receives.arm(1));
  }

  @Test
  void aQueueOfAnotherDeviceIsRefused() {
    try (Device other = Device.over(new FakeHca())) {
      SharedReceiveQueue receives = other.allocateProtectionDomain().sharedReceiveQueue().create();
      CompletionQueue completions = device.createCompletionQueue(16);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.rcQueuePair(completions).receiveFrom(receives).create())
          .withMessageContaining("use one device for both");
    }
  }

  @Test
  void theHandlerRunsWhereTheEventIsTaken() {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().create();
    int[] calls = {0};
    receives.arm(3, () -> calls[0]++);
    View command = hca.command(CommandOpcode.MODIFY_RMP);
    assertThat(command.getInt(ModifyRmpIn.RMPN)).isEqualTo(receives.number());
    assertThat(command.at(ModifyRmpIn.BITMASK).isSet(RmpBitmask.LWM)).isTrue();
    assertThat(command.at(ModifyRmpIn.CTX).at(Rmpc.WQ).getInt(Wq.LWM)).isEqualTo(3);
    hca.channels.forEach(channel -> channel.raise(HcaEvent.SRQ_LIMIT, receives.number(), 0));
    assertThat(calls[0]).isZero();
    assertThat(device.pollEvent())
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.RECEIVE_LIMIT, receives.number(), 0));
    assertThat(calls[0]).isEqualTo(1);
    assertThat(device.pollEvent()).isNull();
  }

  @Test
  void theLatestHandlerCounts() {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().create();
    receives.arm(3, () -> assertThat(true).isFalse());
    receives.arm(2);
    hca.channels.forEach(channel -> channel.raise(HcaEvent.SRQ_LIMIT, receives.number(), 0));
    assertThat(device.pollEvent()).isNotNull();
    assertThat(hca.lastCommand(CommandOpcode.MODIFY_RMP).at(ModifyRmpIn.CTX).at(Rmpc.WQ))
        .extracting(wq -> wq.getInt(Wq.LWM))
        .isEqualTo(2);
  }

  @Test
  void aLimitBeyondTheQueueIsRefused() {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(7).create();
    assertThatIllegalArgumentException().isThrownBy(() -> receives.arm(8));
    assertThat(hca.commands).doesNotContainKey(CommandOpcode.MODIFY_RMP);
  }

  @Test
  void sizesBeyondTheDeviceAreRefused() {
    FakeHca small = new FakeHca();
    small.caps.set(CmdHcaCap.LOG_MAX_SRQ_SZ, 6).set(CmdHcaCap.MAX_WQE_SZ_RQ, 128);
    try (Device other = Device.over(small)) {
      ProtectionDomain there = other.allocateProtectionDomain();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> there.sharedReceiveQueue().requests(64).create())
          .withMessageContaining("requests(64) is more than the 63");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> there.sharedReceiveQueue().requests(1).maxScatter(8).create())
          .withMessageContaining("maxScatter(8) needs requests of 256 bytes");
      assertThat(there.sharedReceiveQueue().requests(63).maxScatter(7).create().requests())
          .isEqualTo(63);
    }
  }

  @Test
  void aRefusedCreationLeavesNothingBehind() {
    hca.refused.add(CommandOpcode.CREATE_RMP);
    int umems = hca.umems.size();
    assertThatThrownBy(() -> domain.sharedReceiveQueue().create()).isInstanceOf(HcaException.class);
    // The page of doorbell records stays for the next.
    assertThat(hca.umems).hasSize(umems + 1);
    domain.close();
  }

  /** A queue with three requests, of which two have completed, and whose queue pair is closed. */
  private SharedReceiveQueue withTwoUnpolled(CompletionQueue completions) {
    SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(3).create();
    PlayedCompletions played = new PlayedCompletions(hca);
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveFrom(receives).create();
    int userIndex = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC).getInt(Qpc.USER_INDEX);
    for (int i = 0; i < 3; i++) {
      receives.receive().scatter(0x1000, 8, 7).post(i);
    }
    receives.ringDoorbell();
    for (int i = 0; i < 2; i++) {
      played.write(CqeOpcode.RESP_SEND, userIndex, queuePair.number(), i, 0);
    }
    queuePair.close();
    return receives;
  }

  @Test
  void requestsInUnpolledCompletionsOfAClosedCompletionQueueAreNotLost() {
    CompletionQueue completions = device.createCompletionQueue(16);
    SharedReceiveQueue receives = withTwoUnpolled(completions);
    completions.close();
    assertThat(receives.exactFreeReceives()).isEqualTo(2);
  }

  @Test
  void requestsInCompletionsOfAQueueWhoseThreadWaitsForEventsAreNotLost() throws Exception {
    CompletionQueue completions = device.createCompletionQueue(16);
    SharedReceiveQueue receives = withTwoUnpolled(completions);
    completions.arm(false);
    Thread.ofPlatform().start(completions::close).join();
    assertThat(receives.exactFreeReceives()).isZero();
    assertThatThrownBy(() -> completions.awaitEvent(Duration.ZERO))
        .isInstanceOf(ClosedException.class);
    assertThat(receives.exactFreeReceives()).isEqualTo(2);
  }
}
