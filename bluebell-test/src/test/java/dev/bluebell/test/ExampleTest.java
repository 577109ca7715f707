package dev.bluebell.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example tests of docs/testing.md. */
class ExampleTest {
  @Test
  void aMessageArrives(@Rdma RdmaPair pair) {
    pair.right().receive(1, 100);
    pair.left().queuePair().send().inline(new byte[] {42}, 0, 1).signaled(7);
    pair.left().queuePair().ringDoorbell();

    pair.left().expectSuccess(7);
    assertThat(pair.right().expectSuccess(100).byteCount()).isEqualTo(1);
  }

  @Test
  void aWrongKeyIsRefused(@Rdma RdmaPair pair) {
    RemoteMemory right = pair.right().memory().remote();
    RcQueuePair left = pair.left().queuePair();
    left.write(right.address(), right.rkey() + 1).inline(new byte[8], 0, 8).signaled(1);
    left.ringDoorbell();

    pair.left()
        .await()
        .expect(1, CompletionStatus.REMOTE_ACCESS_ERROR)
        .expectExplained("rkey", "the tag");
  }

  @Test
  void messagesSurviveANetworkThatLosesAFifth(@Rdma("loss=20%,seed=7") RdmaPair pair) {
    pair.right().receive(50, 0);
    for (int i = 0; i < 50; i++) {
      pair.left().queuePair().send().signaled(i);
    }
    pair.left().queuePair().ringDoorbell();

    assertThat(pair.right().await(50)).extracting(Done::id).isSorted();
    assertThat(pair.left().await(50)).allMatch(done -> done.status() == CompletionStatus.SUCCESS);
  }

  @Test
  void theThirdWriteFails() {
    Fault fault = Fault.request(CompletionStatus.REMOTE_OPERATION_ERROR).at(3);
    try (TestDevice device = TestDevice.with().failing(fault).open()) {
      RdmaPair pair = device.pair();
      for (int i = 0; i < 3; i++) {
        pair.left().queuePair().write(pair.right().memory().remote()).signaled(i);
      }
      pair.left().queuePair().ringDoorbell();

      List<Done> done = pair.left().await(3);
      done.get(1).expectSuccess(1);
      done.get(2).expect(2, CompletionStatus.REMOTE_OPERATION_ERROR);
      device.expectExplained("injected");
    }
  }

  @Test
  void aSilentPeerIsNoticedAfterTheTimeout(@Rdma(time = Time.HELD) RdmaPair pair) {
    pair.right().queuePair().reset();
    pair.left().queuePair().write(pair.right().memory().remote()).signaled(1);
    pair.left().queuePair().ringDoorbell();

    pair.device().advance(Duration.ofMillis(500));
    pair.left().expectNothing();
    pair.device().advance(Duration.ofMillis(67));
    pair.left().await().expect(1, CompletionStatus.RETRY_EXCEEDED);
  }

  @Test
  void codeThatUsesTheDriver(@Rdma Device device) {
    List<Long> ids = new ArrayList<>();
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_READ);
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair queuePair = domain.rcQueuePair(completions).create()) {
      queuePair.connect(queuePair.endpoint());
      queuePair.read(memory.remote().slice(0, 8)).scatter(memory, 8, 8).signaled(5);
      queuePair.ringDoorbell();
      while (completions.poll(completion -> ids.add(completion.id())) == 0) {
        Thread.onSpinWait();
      }
    }
    assertThat(ids).containsExactly(5L);
  }
}
