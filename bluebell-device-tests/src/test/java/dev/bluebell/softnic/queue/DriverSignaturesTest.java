package dev.bluebell.softnic.queue;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The driver writes the signatures that the device expects. */
class DriverSignaturesTest {
  private final Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(256);
  private final MemoryRegion memory = domain.allocate(8192, LOCAL_WRITE, REMOTE_WRITE);

  @AfterEach
  void close() {
    device.close();
  }

  /** Polls this many completions, which must be successes, and returns their ids. */
  private List<Long> await(int count) {
    List<Long> ids = new ArrayList<>();
    while (ids.size() < count) {
      completions.poll(
          completion -> {
            assertThat(completion.status())
                .as("%s", completion.explanation())
                .isEqualTo(CompletionStatus.SUCCESS);
            ids.add(completion.id());
          });
    }
    return ids;
  }

  private byte[] bytes(long offset, int length) {
    return memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void signedRequestsPassWhenOneDoorbellRingsForSeveral() {
    RcQueuePair queuePair =
        domain
            .rcQueuePair(completions)
            .signatures(true)
            .sendQueue(8)
            .maxGather(8)
            .maxInline(100)
            .receiveQueue(8)
            .maxScatter(3)
            .create();
    queuePair.connect(queuePair.endpoint());
    for (int round = 0; round < 40; round++) {
      memory.segment().asSlice(0, 512).fill((byte) (round + 1));
      for (int i = 0; i < 3; i++) {
        queuePair
            .receive()
            .scatter(memory, 1024, 7 + round)
            .scatter(memory, 2048, 512)
            .post(10 + i);
      }
      queuePair.receive().empty().post(13);
      queuePair.ringReceiveDoorbell();
      // One WQEBB, several that go round the end of the ring, and inline data.
      queuePair.send().gather(memory, 0, 8).signaled(1);
      queuePair
          .send()
          .gather(memory, 0, 8)
          .gather(memory, 8, 8)
          .gather(memory, 16, 8)
          .gather(memory, 24, 8)
          .gather(memory, 32, round)
          .signaled(2);
      queuePair.send().inline(new byte[60 + round % 40], 0, 60 + round % 40).signaled(3);
      queuePair
          .writeImmediate(memory.remote().slice(4096, 8), round)
          .gather(memory, 0, 8)
          .signaled(4);
      queuePair.ringDoorbell();
      assertThat(await(8)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 10L, 11L, 12L, 13L);
      assertThat(bytes(4096, 8)).containsOnly(round + 1);
    }
  }

  @Test
  void aSingleRequestThatIsCopiedIntoTheRegisterIsSignedToo() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).signatures(true).blueFlame(true).create();
    queuePair.connect(queuePair.endpoint());
    queuePair.write(memory.remote()).inline(new byte[] {1, 2, 3}, 0, 3).signaled(1);
    queuePair.ringDoorbell();
    await(1);
    assertThat(bytes(0, 3)).containsExactly(1, 2, 3);
  }

  @Test
  void nopsThatFillTheEndOfTheRingAreSignedToo() {
    RcQueuePair queuePair =
        domain
            .rcQueuePair(completions)
            .signatures(true)
            .sendQueue(4)
            .maxInline(200)
            .nopFill(true)
            .create();
    queuePair.connect(queuePair.endpoint());
    for (int round = 0; round < 30; round++) {
      queuePair.write(memory.remote()).inline(new byte[150], 0, 150).signaled(round);
      queuePair.ringDoorbell();
      assertThat(await(1)).containsExactly((long) round);
      queuePair.nop().signaled(99);
      queuePair.ringDoorbell();
      await(1);
    }
  }

  @Test
  void aQueuePairIsSignedAfterItsResetAsBefore() {
    RcQueuePair queuePair = domain.rcQueuePair(completions).signatures(true).create();
    for (int round = 0; round < 3; round++) {
      queuePair.connect(queuePair.endpoint());
      queuePair.receive().scatter(memory, 0, 64).post(1);
      queuePair.receive().scatter(memory, 0, 64).post(2);
      queuePair.ringReceiveDoorbell();
      queuePair.send().gather(memory, 0, 64).signaled(3);
      queuePair.ringDoorbell();
      assertThat(await(2)).containsExactlyInAnyOrder(1L, 3L);
      assertThat(queuePair.reset().receives()).containsExactly(2);
    }
  }

  @Test
  void receivesOfSharedQueuesNeedNoSignature() {
    SharedReceiveQueue shared = domain.sharedReceiveQueue().create();
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).signatures(true).receiveFrom(shared).create();
    queuePair.connect(queuePair.endpoint());
    shared.receive().scatter(memory, 0, 64).post(1);
    shared.ringDoorbell();
    queuePair.send().gather(memory, 64, 64).signaled(2);
    queuePair.ringDoorbell();
    assertThat(await(2)).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void unreliableConnectionsAndDatagramsTakeSignatures() {
    UcQueuePair uc = domain.ucQueuePair(completions).signatures(true).create();
    uc.connect(uc.endpoint());
    uc.receive().scatter(memory, 0, 64).post(1);
    uc.ringReceiveDoorbell();
    uc.send().gather(memory, 64, 64).signaled(2);
    uc.ringDoorbell();
    assertThat(await(2)).containsExactlyInAnyOrder(1L, 2L);

    UdQueuePair ud = domain.udQueuePair(completions).signatures(true).create();
    UdEndpoint endpoint = ud.endpoint();
    ud.receive().scatter(memory, 0, 128).post(3);
    ud.receive().scatter(memory, 0, 128).post(4);
    ud.ringReceiveDoorbell();
    for (int i = 5; i < 7; i++) {
      ud.to(ud.addressHandle(endpoint)).send().gather(memory, 256, 64).signaled(i);
    }
    ud.ringDoorbell();
    assertThat(await(4)).containsExactlyInAnyOrder(3L, 4L, 5L, 6L);
  }
}
