package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.engine.Lookouts;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.reliable.RcResponder;
import org.junit.jupiter.api.Test;

/** Turns of a queue pair, and its flushing. */
class QueuePairTest {
  private final LoneEnd end = new LoneEnd(ServiceType.RC);
  private final Lookouts lateReceives = new Lookouts();
  private final LoneMemory memory = end.chip.memory(256, MemoryKey.REMOTE_WRITE);
  private final QueuePair queuePair = make(ServiceType.RC);

  private QueuePair make(ServiceType service) {
    return new QueuePair(
        end.chip.chip(),
        new Network(end.route, LoneEnd.endpoint(), lateReceives, new ObjectTable<>(1, 2)),
        LoneEnd.QPN,
        service,
        end.qpc.bytes().clone(),
        new Queues(end.sends.queue(), end.sendCompletions.queue(), end.source));
  }

  private void connect() {
    connect(queuePair);
  }

  private static void connect(QueuePair connected) {
    for (int state = QpState.INIT; state <= QpState.RTS; state++) {
      connected.enter(state);
    }
  }

  private void receiveWrite(int psn) {
    Packet write = end.packet(ServiceType.RC, BthOpcode.WRITE_ONLY, psn);
    write.acknowledge = true;
    write.address = memory.address(0);
    write.rkey = memory.key();
    write.length = 4;
    RcResponder responder = (RcResponder) queuePair.responder();
    assertThat(responder.receive(LoneEnd.carrying(write, memory, 8, 4))).isEmpty();
  }

  private void postReceives(int count) {
    for (int i = 0; i < count; i++) {
      end.receives.post(DataSegment.first(8, 1), 0);
    }
  }

  @Test
  void aTurnAnswersAndThenSends() {
    connect();
    receiveWrite(LoneEnd.PSN);
    end.sends.post(Wqe.send(), Wqe.send());
    assertThat(queuePair.turn()).isEqualTo(3);
    assertThat(end.route.texts())
        .containsExactly(
            "ACKNOWLEDGE PSN 1000+1, syndrome 0x1f, MSN 1",
            "SEND_ONLY PSN 1000+1, 0 bytes, acknowledge",
            "SEND_ONLY PSN 1001+1, 0 bytes, acknowledge");
    assertThat(queuePair.turn()).isZero();
  }

  @Test
  void aTurnInErrFlushesEverythingOnce() {
    connect();
    end.sends.post(Wqe.send());
    assertThat(queuePair.turn()).isEqualTo(1);
    end.sends.post(Wqe.send(), Wqe.send());
    postReceives(3);
    queuePair.enter(QpState.ERR);
    // The failure, two sends that were not fetched, three receives.
    assertThat(queuePair.turn()).isEqualTo(1 + 2 + 3);
    String cause =
        "flushed, because QP 0x40 is in ERR: its client moved it to ERR, as bluebell-connect and"
            + " RDMA CM applications do when a connection ends";
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: WR_FLUSH_ERR 0xf9, " + cause,
            "REQ_ERR 1 SEND: WR_FLUSH_ERR 0xf9, " + cause,
            "REQ_ERR 2 SEND: WR_FLUSH_ERR 0xf9, " + cause);
    assertThat(end.receivesCompleted()).hasSize(3);
    assertThat(queuePair.turn()).isZero();
  }

  @Test
  void aTurnInSqerFlushesTheSendsAlone() {
    QueuePair unreliable = make(ServiceType.UC);
    connect(unreliable);
    postReceives(1);
    end.sends.post(Wqe.send().index(9), Wqe.send(), Wqe.send());
    // The request that failed.
    assertThat(unreliable.turn()).isEqualTo(1);
    assertThat(unreliable.state()).isEqualTo(QpState.SQER);
    // The failure, and two sends behind it.
    assertThat(unreliable.turn()).isEqualTo(1 + 2);
    assertThat(end.sendsCompleted()).hasSize(3);
    assertThat(end.receivesCompleted()).isEmpty();
    assertThat(unreliable.turn()).isZero();
  }

  @Test
  void receivesThatArePostedLateAreFlushed() {
    connect();
    queuePair.enter(QpState.ERR);
    assertThat(lateReceives.poll()).isZero();
    queuePair.turn();
    postReceives(2);
    assertThat(lateReceives.poll()).isEqualTo(2);
    postReceives(1);
    assertThat(lateReceives.pollThoroughly()).isEqualTo(1);
    assertThat(end.receivesCompleted()).hasSize(3);
    assertThat(lateReceives.poll()).isZero();
  }

  @Test
  void aQueuePairThatLeftErrIsNoLongerWatched() {
    connect();
    queuePair.enter(QpState.ERR);
    queuePair.turn();
    queuePair.enter(QpState.RST);
    postReceives(1);
    assertThat(lateReceives.poll()).isZero();
    assertThat(end.receivesCompleted()).isEmpty();
    assertThat(lateReceives.isEmpty()).isTrue();
  }

  @Test
  void aReleasedQueuePairIsNoLongerWatched() {
    connect();
    queuePair.enter(QpState.ERR);
    queuePair.turn();
    queuePair.release();
    postReceives(1);
    assertThat(lateReceives.pollThoroughly()).isZero();
    assertThat(queuePair.state()).isEqualTo(QpState.RST);
  }

  @Test
  void settlingAcknowledgesExecutedRequestsOnce() {
    connect();
    receiveWrite(LoneEnd.PSN);
    assertThat(end.route.take()).isEmpty();
    queuePair.settle();
    assertThat(end.route.take()).hasSize(1);
    queuePair.settle();
    assertThat(end.route.take()).isEmpty();
  }

  @Test
  void aResetQueuePairStartsAnew() {
    connect();
    end.sends.post(Wqe.send());
    queuePair.turn();
    receiveWrite(LoneEnd.PSN);
    postReceives(2);
    end.receives.queue().look();
    end.route.take();
    queuePair.enter(QpState.RST);
    assertThat(queuePair.sendQueue().pending()).isZero();
    assertThat(queuePair.turn()).isZero();
    end.sends.setRecord(0);
    connect();
    assertThat(queuePair.turn()).as("nothing is to be acknowledged or sent").isZero();
    assertThat(queuePair.deadline()).isEqualTo(Long.MAX_VALUE);
    assertThat(end.route.take()).isEmpty();
  }

  @Test
  void anAbandonedQueuePairDoesNothing() {
    connect();
    end.sends.post(Wqe.send());
    postReceives(1);
    queuePair.abandon("a defect");
    assertThat(queuePair.turn()).isZero();
    assertThat(end.sendsCompleted()).isEmpty();
    assertThat(end.chip.explained()).containsExactly("a defect");
    assertThat(lateReceives.poll()).isZero();
    assertThat(end.receivesCompleted()).isEmpty();
  }
}
