package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dynamic connections: initiators, and targets over shared receive queues. */
@Conformance
@Needs("dct")
class DynamicConnectionTest {
  private static final int BYTES = 4096;
  private static final ConnectOptions SOON =
      ConnectOptions.DEFAULT.withTimeout(8).withRetryCount(3);

  /** An initiator, and the resources of targets. */
  private static final class Scene extends Setup {
    private final SharedReceiveQueue shared;
    private final DcInitiator initiator;
    private final Buffer here;

    Scene(Bench bench) {
      this(bench, ConnectOptions.DEFAULT);
    }

    Scene(Bench bench, ConnectOptions options) {
      super(bench);
      shared = domain.sharedReceiveQueue().create();
      initiator = domain.dcInitiator(sends).options(options).maxInline(64).create();
      here = buffer(BYTES).fill(1);
    }

    DcTarget target() {
      return domain.dcTarget(receives, shared).create();
    }

    DcTargetAddress to(DcTarget target) {
      return initiator.targetAddress(target.endpoint());
    }

    void receive(Buffer buffer, int offset, int bytes, long id) {
      shared.receive().scatter(buffer.region(), offset, bytes).post(id);
      shared.ringDoorbell();
    }
  }

  @Test
  void oneInitiatorReachesManyTargets(Bench bench) {
    Scene scene = new Scene(bench);
    List<DcTargetAddress> targets = new ArrayList<>();
    List<Buffer> memories = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      targets.add(scene.to(scene.target()));
      memories.add(scene.buffer(BYTES));
    }
    for (int i = 0; i < 32; i++) {
      Buffer there = memories.get(i % targets.size());
      int at = i / targets.size() * 64;
      scene
          .initiator
          .target(targets.get(i % targets.size()))
          .write(there.remote(at))
          .gather(scene.here.region(), i, 64)
          .signaled(i);
    }
    scene.initiator.ringDoorbell();
    List<Done> done = scene.awaitSends(32);
    for (int i = 0; i < 32; i++) {
      done.get(i).requireSuccess(i);
      assertThat(memories.get(i % targets.size()).bytes(i / targets.size() * 64L, 64))
          .isEqualTo(scene.here.bytes(i, 64));
    }
  }

  @Test
  void twoTargetsShareAReceiveQueue(Bench bench) {
    Scene scene = new Scene(bench);
    DcTarget first = scene.target();
    DcTarget second = scene.target();
    Buffer landing = scene.buffer(BYTES);
    for (int i = 0; i < 10; i++) {
      scene.receive(landing, i * 8, 8, i);
    }
    for (int i = 0; i < 10; i++) {
      scene
          .initiator
          .target(scene.to(i % 2 == 0 ? first : second))
          .sendImmediate(i)
          .inline(new byte[] {(byte) i, 1, 2, 3, 4, 5, 6, 7}, 0, 8)
          .signaled(i);
    }
    scene.initiator.ringDoorbell();
    scene.awaitSends(10);
    for (Done received : scene.awaitReceives(10)) {
      assertThat(received.status()).isEqualTo(CompletionStatus.SUCCESS);
      assertThat(received.queuePairNumber())
          .isEqualTo(received.immediate() % 2 == 0 ? first.number() : second.number());
      assertThat(landing.bytes((int) received.id() * 8L, 8))
          .containsExactly(received.immediate(), 1, 2, 3, 4, 5, 6, 7);
    }
  }

  @Test
  void anotherAccessKeyIsRefusedAndCounted(Bench bench) {
    Scene scene = new Scene(bench, SOON);
    DcTarget target = scene.target();
    target.armKeyViolation();
    DcEndpoint right = target.endpoint();
    DcEndpoint wrong =
        new DcEndpoint(right.gid(), right.lid(), right.dctn(), right.accessKey() + 1, right.mtu());
    scene.initiator.target(scene.initiator.targetAddress(wrong)).send().signaled(1);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitSend().status()).isNotEqualTo(CompletionStatus.SUCCESS);
    assertThat(target.keyViolations()).isPositive();
    assertThat(bench.awaitEvent(AsyncEvent.Type.KEY_VIOLATION).number()).isEqualTo(target.number());

    scene.initiator.reset();
    scene.receive(scene.here, 0, 8, 2);
    scene.initiator.target(scene.to(target)).send().signaled(3);
    scene.initiator.ringDoorbell();
    scene.awaitSend().requireSuccess(3);
    scene.awaitReceive().requireSuccess(2);
  }

  @Test
  void aClosedTargetDoesNotAnswer(Bench bench) {
    Scene scene = new Scene(bench, SOON);
    DcTarget target = scene.target();
    DcTargetAddress to = scene.to(target);
    scene.receive(scene.here, 0, 8, 1);
    scene.initiator.target(to).send().signaled(2);
    scene.initiator.ringDoorbell();
    scene.awaitSend().requireSuccess(2);
    target.close();
    scene.initiator.target(to).send().signaled(3);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitSend().status()).isNotEqualTo(CompletionStatus.SUCCESS);
  }
}
