package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dynamic connections with streams, which don't wait for each other and fail independently. */
@Conformance
@Needs({"dct", "log_max_dci_stream_channels", "log_max_dci_errored_streams"})
class DcStreamTest {
  private static final int BYTES = 1 << 16;

  /** An initiator with streams, and targets. */
  private static final class Scene extends Setup {
    private final SharedReceiveQueue shared;
    private final DcStreamInitiator initiator;
    private final Buffer here;
    private final Buffer there;
    private final DcTargetAddress target;

    Scene(Bench bench, int streams, int failures) {
      super(bench);
      shared = domain.sharedReceiveQueue().create();
      initiator = domain.dcStreamInitiator(sends, streams).failures(failures).create();
      here = buffer(BYTES).fill(1);
      there = buffer(BYTES);
      target = target();
    }

    DcTargetAddress target() {
      return initiator.targetAddress(domain.dcTarget(receives, shared).create().endpoint());
    }

    void write(int stream, DcTargetAddress to, int at, int bytes, long id) {
      initiator.stream(stream)
          .target(to)
          .write(there.remote(at))
          .gather(here.region(), at, bytes)
          .signaled(id);
    }

    void send(int stream, int bytes, long id) {
      initiator.stream(stream).target(target).send().gather(here.region(), 0, bytes).signaled(id);
    }

    /** Posts a request with a key that does not exist. */
    void sendBad(int stream, long id) {
      initiator.stream(stream)
          .target(target)
          .send()
          .gather(here.address(0), 8, here.lkey() ^ 0x4000_0000)
          .signaled(id);
    }

    void receive(int bytes, long id) {
      shared.receive().scatter(there.region(), 0, bytes).post(id);
      shared.ringDoorbell();
    }

    Map<Long, CompletionStatus> awaitStatus(int count) {
      Map<Long, CompletionStatus> statuses = new HashMap<>();
      awaitSends(count).forEach(done -> statuses.put(done.id(), done.status()));
      return statuses;
    }
  }

  @Test
  void aStreamThatWaitsDoesNotHoldTheOthers(Bench bench) {
    Scene scene = new Scene(bench, 4, 4);
    scene.send(1, 8, 1);
    scene.write(1, scene.target, 100, 8, 2);
    scene.write(2, scene.target, 200, 8, 3);
    scene.write(3, scene.target, 300, 8, 4);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitSends(2)).extracting(Done::id).containsExactlyInAnyOrder(3L, 4L);
    assertThat(scene.there.bytes(100, 8)).containsOnly(0);
    scene.receive(8, 9);
    assertThat(scene.awaitSends(2)).extracting(Done::id).containsExactly(1L, 2L);
    assertThat(scene.there.bytes(100, 8)).isEqualTo(scene.here.bytes(100, 8));
    scene.awaitReceive().requireSuccess(9);
  }

  @Test
  void aStreamFailsAloneAndWorksAgainAfterItsReset(Bench bench) {
    Scene scene = new Scene(bench, 4, 4);
    scene.sendBad(1, 1);
    scene.write(1, scene.target, 100, 8, 2);
    scene.write(2, scene.target, 200, 8, 3);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitStatus(3))
        .containsEntry(1L, CompletionStatus.LOCAL_PROTECTION_ERROR)
        .containsEntry(2L, CompletionStatus.WORK_REQUEST_FLUSHED)
        .containsEntry(3L, CompletionStatus.SUCCESS);
    assertThat(scene.initiator.query().state()).isEqualTo(QueuePairState.RTS);
    scene.initiator.stream(1).reset();
    scene.write(1, scene.target, 100, 8, 4);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitStatus(1)).containsEntry(4L, CompletionStatus.SUCCESS);
    assertThat(scene.there.bytes(100, 8)).isEqualTo(scene.here.bytes(100, 8));
    assertThat(scene.initiator.freeWqebbs()).isEqualTo(scene.initiator.sendQueueWqebbs());
  }

  @Test
  void asManyFailuresAsAllowedEndTheInitiatorUntilItsReset(Bench bench) {
    Scene scene = new Scene(bench, 4, 2);
    scene.sendBad(1, 1);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitStatus(1)).containsEntry(1L, CompletionStatus.LOCAL_PROTECTION_ERROR);
    scene.sendBad(2, 2);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitStatus(1)).containsEntry(2L, CompletionStatus.LOCAL_PROTECTION_ERROR);
    scene.write(3, scene.target, 100, 8, 3);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitStatus(1)).containsEntry(3L, CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(scene.initiator.query().state()).isEqualTo(QueuePairState.ERROR);
    scene.initiator.reset();
    scene.write(3, scene.target, 100, 8, 4);
    scene.initiator.ringDoorbell();
    assertThat(scene.awaitStatus(1)).containsEntry(4L, CompletionStatus.SUCCESS);
  }

  @Test
  void manyRequestsGoAroundTheRingOnAllStreams(Bench bench) {
    Scene scene = new Scene(bench, 8, 8);
    List<DcTargetAddress> targets = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      targets.add(scene.target());
    }
    int posted = 0;
    long[] order = new long[8];
    for (int round = 0; round < 20; round++) {
      int count = 0;
      while (count < 24) {
        int at = posted * 64;
        scene.write(posted % 8, targets.get(posted % 3), at, 1 + posted % 64, posted);
        posted++;
        count++;
      }
      scene.initiator.ringDoorbell();
      for (Done done : scene.awaitSends(count)) {
        assertThat(done.status()).as(done.explanation()).isEqualTo(CompletionStatus.SUCCESS);
        int stream = (int) done.id() % 8;
        assertThat(done.id()).isGreaterThanOrEqualTo(order[stream]);
        order[stream] = done.id();
      }
    }
    for (int i = 0; i < posted; i++) {
      assertThat(scene.there.bytes(i * 64L, 1 + i % 64))
          .isEqualTo(scene.here.bytes(i * 64L, 1 + i % 64));
    }
    assertThat(scene.initiator.freeWqebbs()).isEqualTo(scene.initiator.sendQueueWqebbs());
  }
}
