package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Extended reliable connections: initiators, targets, and the queues that messages name. */
@Conformance
@Needs("xrc")
class ExtendedConnectionTest {
  private static final int BYTES = 4096;

  /** A domain with a connection into it. */
  private static final class Scene extends Setup {
    private final XrcDomain xrcDomain;
    private final Link link;
    private final Buffer here;
    private final Buffer there;

    Scene(Bench bench) {
      super(bench);
      xrcDomain = bench.device().allocateXrcDomain();
      link = link();
      here = buffer(BYTES).fill(1);
      there = buffer(BYTES);
    }

    Link link() {
      XrcInitiator initiator = domain.xrcInitiator(sends).maxInline(64).create();
      XrcTarget target = xrcDomain.target().create();
      Bench.connect(target, initiator);
      return new Link(initiator, target);
    }

    XrcSharedReceiveQueue queue() {
      return domain.xrcSharedReceiveQueue(xrcDomain, receives).create();
    }

    void receive(XrcSharedReceiveQueue queue, int offset, int bytes, long id) {
      queue.receive().scatter(there.region(), offset, bytes).post(id);
      queue.ringDoorbell();
    }
  }

  /** Both ends of a connection. */
  private record Link(XrcInitiator initiator, XrcTarget target) {

    void send(XrcSharedReceiveQueue to, Buffer from, int offset, int bytes, long id) {
      initiator
          .toSharedReceives(to.number())
          .sendImmediate((int) id)
          .gather(from.region(), offset, bytes)
          .signaled(id);
      initiator.ringDoorbell();
    }
  }

  @Test
  void oneConnectionServesAllQueuesOfTheDomain(Bench bench) {
    Scene scene = new Scene(bench);
    XrcSharedReceiveQueue[] queues = {scene.queue(), scene.queue(), scene.queue()};
    for (int i = 0; i < queues.length; i++) {
      scene.receive(queues[i], i * 100, 100, 100 + i);
    }
    for (int i = queues.length - 1; i >= 0; i--) {
      scene.link.send(queues[i], scene.here, i * 10, 100, i);
      scene.awaitSend().requireSuccess(i);
      Done received = scene.awaitReceive().requireSuccess(100 + i);
      assertThat(received.immediate()).isEqualTo(i);
      assertThat(received.queuePairNumber()).isEqualTo(scene.link.target.number());
      assertThat(scene.there.bytes(i * 100L, 100)).isEqualTo(scene.here.bytes(i * 10L, 100));
    }
  }

  @Test
  void allConnectionsIntoTheDomainShareAQueue(Bench bench) {
    Scene scene = new Scene(bench);
    Link other = scene.link();
    XrcSharedReceiveQueue queue = scene.queue();
    for (int i = 0; i < 10; i++) {
      scene.receive(queue, i * 8, 8, i);
    }
    for (int i = 0; i < 10; i++) {
      Link link = i % 2 == 0 ? scene.link : other;
      link.send(queue, scene.here, i, 8, i);
      scene.awaitSend().requireSuccess(i);
      Done received = scene.awaitReceive().requireSuccess(i);
      assertThat(received.queuePairNumber()).isEqualTo(link.target.number());
      assertThat(scene.there.bytes(i * 8L, 8)).isEqualTo(scene.here.bytes(i, 8));
    }
    assertThat(queue.exactFreeReceives()).isEqualTo(queue.requests());
  }

  @Test
  @ExpectsRefusal
  void theKeysAreThoseOfTheQueuesDomain(Bench bench) {
    Scene scene = new Scene(bench);
    ProtectionDomain other = bench.device().allocateProtectionDomain();
    Buffer foreign = new Buffer(other.allocate(BYTES, Access.rights()));
    XrcSharedReceiveQueue queue =
        other.xrcSharedReceiveQueue(scene.xrcDomain, scene.receives).create();
    XrcInitiator initiator = scene.link.initiator;
    initiator
        .toSharedReceives(queue.number())
        .write(foreign.remote(0))
        .gather(scene.here.region(), 0, 100)
        .signaled(1);
    initiator
        .toSharedReceives(queue.number())
        .write(scene.there.remote(0))
        .gather(scene.here.region(), 0, 100)
        .signaled(2);
    initiator.ringDoorbell();
    List<Done> done = scene.awaitSends(2);
    done.getFirst().requireSuccess(1);
    done.getLast().require(2, CompletionStatus.REMOTE_ACCESS_ERROR);
    assertThat(foreign.bytes(0, 100)).isEqualTo(scene.here.bytes(0, 100));
    assertThat(scene.there.bytes(0, 100)).containsOnly(0);
  }

  @Test
  @ExpectsRefusal
  void aQueueOfAnotherDomainIsRefused(Bench bench) {
    Scene scene = new Scene(bench);
    XrcDomain other = bench.device().allocateXrcDomain();
    XrcSharedReceiveQueue foreign =
        scene.domain.xrcSharedReceiveQueue(other, scene.receives).create();
    scene.receive(foreign, 0, 100, 1);
    scene.link.send(foreign, scene.here, 0, 100, 2);
    scene.awaitSend().require(2, CompletionStatus.REMOTE_ACCESS_ERROR);
    bench.expectCalm(scene.receives);
  }

  @Test
  @ExpectsRefusal
  void aQueueThatWasClosedIsRefusedAndAResetMendsBothEnds(Bench bench) {
    Scene scene = new Scene(bench);
    XrcSharedReceiveQueue gone = scene.queue();
    int number = gone.number();
    gone.close();
    XrcInitiator initiator = scene.link.initiator;
    XrcTarget target = scene.link.target;
    initiator.toSharedReceives(number).send().signaled(1);
    initiator.ringDoorbell();
    scene.awaitSend().require(1, CompletionStatus.REMOTE_ACCESS_ERROR);
    assertThat(target.query().state()).isEqualTo(QueuePairState.ERROR);
    initiator.reset();
    target.reset();
    Bench.connect(target, initiator);
    XrcSharedReceiveQueue queue = scene.queue();
    scene.receive(queue, 0, 100, 2);
    scene.link.send(queue, scene.here, 0, 100, 3);
    scene.awaitSend().requireSuccess(3);
    scene.awaitReceive().requireSuccess(2);
  }

  @Test
  void theLimitIsReportedOnce(Bench bench) {
    Scene scene = new Scene(bench);
    XrcSharedReceiveQueue queue = scene.queue();
    for (int i = 0; i < 4; i++) {
      scene.receive(queue, i * 8, 8, i);
    }
    queue.arm(4);
    for (int i = 0; i < 2; i++) {
      scene.link.send(queue, scene.here, 0, 8, i);
      scene.awaitSend().requireSuccess(i);
      scene.awaitReceive().requireSuccess(i);
    }
    assertThat(bench.awaitEvent(AsyncEvent.Type.RECEIVE_LIMIT).number()).isEqualTo(queue.number());
    assertThat(bench.events()).noneMatch(event -> event.type() == AsyncEvent.Type.RECEIVE_LIMIT);
  }
}
