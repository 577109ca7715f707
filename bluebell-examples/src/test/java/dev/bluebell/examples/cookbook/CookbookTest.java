package dev.bluebell.examples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.test.Rdma;
import dev.bluebell.test.TestDevice;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.PendingRequests;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The programs of the cookbook, in virtual time. */
class CookbookTest {

  @Test
  void creditsLeaveNoMessageWithoutAReceive(@Rdma Device device) {
    assertThat(Credits.run(device, 1000)).isPositive();
  }

  @Test
  void aFlushedReceiveIsNotCountedAsAMessage(@Rdma Device device) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion slots = domain.allocate(8 * 16, Access.LOCAL_WRITE);
        MemoryRegion count = domain.allocate(Long.BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(64);
        RcQueuePair queuePair = domain.rcQueuePair(completions).create()) {
      Credits.Receiver receiver = new Credits.Receiver(queuePair, slots, count, count.remote());
      queuePair.connect(queuePair.endpoint());
      queuePair.toError();
      assertThatIllegalStateException()
          .isThrownBy(() -> Polling.await(completions, 1, receiver::take))
          .withMessageContaining("WORK_REQUEST_FLUSHED");
      assertThat(receiver.taken()).isZero();
    }
  }

  @Test
  void aPeerThatIsGoneIsNoticed(@Rdma Device device) {
    assertThat(Keepalive.run(device))
        .containsExactly(CompletionStatus.SUCCESS, CompletionStatus.RETRY_EXCEEDED);
  }

  @Test
  void aLargeMessageIsFetched(@Rdma Device device) {
    byte[] data = new byte[1_000_000];
    new Random(1).nextBytes(data);
    assertThat(Rendezvous.run(device, data)).isEqualTo(data);
  }

  @Test
  void aFetchThatFailsLeavesNoMemory(@Rdma Device device) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion source = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair queuePair = domain.rcQueuePair(completions).create()) {
      queuePair.connect(queuePair.endpoint());
      byte[] announcement = source.remote().bytes();
      assertThatIllegalStateException()
          .isThrownBy(() -> Rendezvous.fetch(domain, completions, queuePair, announcement))
          .withMessageContaining("REMOTE_ACCESS_ERROR");
    }
  }

  @Test
  void failedRequestsAreRepeatedOnANewQueuePair(@Rdma Device device) {
    assertThat(Recovery.run(device)).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void aWriterThatFailsOnItsSecondQueuePairTooDoesNotWaitForever(
      @Rdma("fail=remote-op") Device device) {
    assertThatIllegalStateException()
        .isThrownBy(() -> Recovery.run(device))
        .withMessageContaining("REMOTE_OPERATION_ERROR");
  }

  @Test
  void aPlaceThatIsWrittenTwiceKeepsTheSecondValueWhenOnlyTheFirstWriteSucceeded(
      @Rdma TestDevice device) {
    Device opened = device.device();
    try (ProtectionDomain domain = opened.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = opened.createCompletionQueue(64);
        Recovery writer = new Recovery(domain, completions, memory.remote())) {
      try (RcQueuePair peer = domain.rcQueuePair(completions).create()) {
        Polling.connect(writer.queuePair(), peer);
        writer.write(1, new byte[] {1, 0, 0, 0});
        device.settle();
        peer.toError();
        writer.write(1, new byte[] {2, 0, 0, 0});
        while (!writer.hasFailed()) {
          completions.poll(writer::take);
        }
      }
      PendingRequests unused = writer.replace();
      try (RcQueuePair peer = domain.rcQueuePair(completions).create()) {
        Polling.connect(writer.queuePair(), peer);
        writer.repeat();
        while (!writer.isDone()) {
          completions.poll(writer::take);
        }
      }
      assertThat(memory.segment().toArray(ValueLayout.JAVA_INT)).containsExactly(0, 2);
    }
  }

  @Test
  void aPoolIsRefilledWhileMorePeersSendThanItHasReceives(@Rdma Device device) {
    List<Integer> messages = SharedReceives.run(device, 20, 10);
    assertThat(messages).hasSize(20).containsOnly(10);
  }

  @Test
  void aPoolOfReceivesServesManyPeers(@Rdma Device device) {
    assertThat(SharedReceives.run(device, 3, 100)).containsExactly(100, 100, 100);
  }

  @Test
  void aMessageThatCanNotBeSentIsNotWaitedForAndLeavesNoQueuePairs(
      @Rdma("fail=remote-op") Device device) {
    assertThatIllegalStateException()
        .isThrownBy(() -> SharedReceives.run(device, 3, 1))
        .withMessageContaining("REMOTE_OPERATION_ERROR");
  }

  @Test
  void aWriteThatFailsLeavesNoQueuePairs(@Rdma("fail=remote-op") Device device) {
    assertThatIllegalStateException()
        .isThrownBy(() -> SharedCompletions.run(device, 3, 1))
        .withMessageContaining("REMOTE_OPERATION_ERROR");
  }

  @Test
  void oneCompletionQueueServesManyConnections(@Rdma Device device) {
    assertThat(SharedCompletions.run(device, 3, 100)).containsExactly(100, 100, 100);
  }
}
