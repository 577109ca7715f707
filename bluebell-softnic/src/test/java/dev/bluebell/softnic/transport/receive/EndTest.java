package dev.bluebell.softnic.transport.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts that both halves of a queue pair share: its state, its peer, and its held receives. */
class EndTest {

  @Nested
  class LifecycleTest {
    private final LoneEnd end = new LoneEnd(ServiceType.RC);
    private final Lifecycle life = end.life;

    @ParameterizedTest
    @CsvSource({
      "0, false, false",
      "1, false, false",
      "2, true, false",
      "3, true, true",
      "4, true, false",
      "5, true, false",
      "6, false, false",
    })
    void theStateDecidesWhatIsExecutedAndSent(int state, boolean takes, boolean sends) {
      life.enter(state);
      assertThat(life.state()).isEqualTo(state);
      assertThat(life.takesRequests()).isEqualTo(takes);
      assertThat(life.isReadyToSend()).isEqualTo(sends);
    }

    @Test
    void aNewStateIsRecordedOnce() {
      life.enter(QpState.INIT);
      life.enter(QpState.INIT);
      assertThat(end.chip.recorded()).containsExactly("QP 0x40 is now INIT");
    }

    @Test
    void aFailureFlushesOnceWithItsCause() {
      life.enter(QpState.RTS);
      end.chip.takeTurns();
      life.fail("the first reason");
      life.fail("another reason");
      assertThat(life.state()).isEqualTo(QpState.ERR);
      assertThat(life.cause()).isEqualTo("flushed, because QP 0x40 is in ERR: the first reason");
      assertThat(end.chip.takeTurns()).isEqualTo(1);
      assertThat(life.takeFlush()).isTrue();
      assertThat(life.takeFlush()).isFalse();
    }

    @Test
    void aFailedRequestEndsAReliableConnection() {
      life.enter(QpState.RTS);
      life.failSends("why");
      assertThat(life.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aFailedRequestOfAnotherServiceEndsOnlyItsSends() {
      LoneEnd datagrams = new LoneEnd(ServiceType.UD);
      datagrams.life.enter(QpState.RTS);
      datagrams.life.failSends("why");
      assertThat(datagrams.life.state()).isEqualTo(QpState.SQER);
      assertThat(datagrams.life.cause()).isEqualTo("flushed, because QP 0x40 is in SQER: why");
      datagrams.life.enter(QpState.ERR);
      datagrams.life.failSends("another");
      assertThat(datagrams.life.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aFailureWithoutACompletionRaisesAnEvent() {
      life.failUnreported("why");
      assertThat(end.chip.takeEvents()).containsExactly("WQ_CATASTROPHIC of 0x40");
      assertThat(life.state()).isEqualTo(QpState.ERR);
      assertThat(end.chip.recorded()).contains("event WQ_CATASTROPHIC of 0x40");
    }

    @Test
    void anAbandonedQueuePairIsNotFlushedUntilItIsReset() {
      life.enter(QpState.RTS);
      life.abandon();
      assertThat(life.isAbandoned()).isTrue();
      assertThat(life.state()).isEqualTo(QpState.ERR);
      assertThat(life.takeFlush()).isFalse();
      assertThat(end.chip.takeEvents()).containsExactly("WQ_CATASTROPHIC of 0x40");
      life.enter(QpState.RST);
      assertThat(life.isAbandoned()).isFalse();
    }

    @Test
    void aResetForgetsTheFlush() {
      life.enter(QpState.RTS);
      life.fail("why");
      life.enter(QpState.RST);
      assertThat(life.takeFlush()).isFalse();
    }

    @Test
    void turnsAndDeadlinesAreAskedOfTheScheduler() {
      life.wake();
      life.schedule();
      assertThat(end.chip.takeTurns()).isEqualTo(1);
      assertThat(end.chip.takeSchedules()).isEqualTo(1);
      life.raise(HcaEvent.SQ_DRAINED);
      assertThat(end.chip.takeEvents()).containsExactly("SQ_DRAINED of 0x40");
    }
  }

  @Nested
  class ConnectionTest {
    private final LoneEnd end = new LoneEnd(ServiceType.RC);
    private final Connection connection = end.connection;

    @Test
    void aConnectionIsWhatItsContextSays() {
      connection.configure(end.qpc);
      Packet packet = new Packet();
      connection.address(packet);
      assertThat(new Gid(packet.sourceGidHigh, packet.sourceGidLow)).isEqualTo(LoneEnd.LOCAL);
      assertThat(new Gid(packet.destinationGidHigh, packet.destinationGidLow))
          .isEqualTo(LoneEnd.REMOTE);
      assertThat(connection.remoteQpn()).isEqualTo(LoneEnd.REMOTE_QPN);
      assertThat(connection.route()).isSameAs(end.route);
      assertThat(end.route.opened()).hasToString("[%s]".formatted(LoneEnd.REMOTE));
      assertThat(connection)
          .hasToString("remote QP 0x50 at fe80:0000:0000:0000:00be:11ff:fe00:0002");
    }

    @ParameterizedTest
    @CsvSource({"0, 8", "1, 8", "2, 9", "3, 10", "4, 11", "5, 12", "6, 12", "7, 12"})
    void theMtuFollowsFromItsCode(int code, int log) {
      end.qpc.set(Qpc.MTU, code);
      connection.configure(end.qpc);
      assertThat(connection.logMtu()).isEqualTo(log);
      assertThat(connection.burst(Long.MAX_VALUE)).isEqualTo(4 << log);
    }

    @Test
    void withoutARouteABurstIsOnePacket() {
      end.route.leadNowhere();
      end.qpc.set(Qpc.MTU, 3);
      connection.configure(end.qpc);
      assertThat(connection.route()).isNull();
      assertThat(connection.burst(Long.MAX_VALUE)).isEqualTo(1024);
      assertThat(connection.whyUnreachable())
          .isEqualTo(
              "no port of this device reaches the destination GID"
                  + " fe80:0000:0000:0000:00be:11ff:fe00:0002 (rgid)");
    }

    @Test
    void anUnconfiguredConnectionHasTheSmallestMtu() {
      assertThat(connection.logMtu()).isEqualTo(8);
      assertThat(connection.burst(Long.MAX_VALUE)).isEqualTo(256);
      String why = connection.whyUnreachable();
      Heard.add(why);
      assertThat(why).isEqualTo("it has no peer");
    }

    @Test
    void thePeerIsAQueuePairAtAGid() {
      connection.configure(end.qpc);
      Packet packet = end.packet(ServiceType.RC, 0, 0);
      assertThat(connection.isPeer(packet)).isTrue();
      packet.sourceGidHigh++;
      assertThat(connection.isPeer(packet)).isFalse();
      packet.sourceGidHigh--;
      packet.sourceGidLow++;
      assertThat(connection.isPeer(packet)).isFalse();
      packet.sourceGidLow--;
      packet.sourceQpn++;
      assertThat(connection.isPeer(packet)).isFalse();
    }

    @Test
    void theExplanationForAStrangerNamesTheConnectedPeer() {
      end.connect();
      Packet packet = end.packet(ServiceType.RC, 0, 0);
      assertThat(connection.whyNot(packet, end.life)).isEmpty();
      packet.sourceGidLow = 0x99;
      assertThat(connection.whyNot(packet, end.life))
          .isEqualTo(
              "QP 0x40 is connected to GID fe80:0000:0000:0000:00be:11ff:fe00:0002 (rgid), not to"
                  + " fe80:0000:0000:0000:0000:0000:0000:0099, which sent the request");
      packet.sourceQpn = 0x51;
      assertThat(connection.whyNot(packet, end.life))
          .isEqualTo(
              "QP 0x40 is connected to QP 0x50 (remote_qpn), not to QP 0x51, which sent the"
                  + " request");
      end.life.enter(QpState.ERR);
      assertThat(connection.whyNot(packet, end.life))
          .isEqualTo(
              "QP 0x40 is in ERR and takes no requests; the explanations of the process at the"
                  + " other end say why");
    }
  }

  @Nested
  class IncomingMessageTest {
    private final IncomingMessage message = new IncomingMessage(1);

    @Test
    void aMessageArrivesBetweenItsFirstAndItsLastPiece() {
      assertThat(message.isArriving()).isFalse();
      message.begin(true);
      assertThat(message.isArriving()).isTrue();
      message.place(5);
      message.place(1L << 32);
      assertThat(message.placed()).isEqualTo((1L << 32) + 5);
      message.end();
      assertThat(message.isArriving()).isFalse();
      message.begin(false);
      assertThat(message.placed()).isZero();
      message.abandon();
      assertThat(message.isArriving()).isFalse();
    }

    @Test
    void aPieceStartsAMessageOrContinuesItsOwn() {
      assertThat(message.refuses(true, false)).isFalse();
      assertThat(message.refuses(true, true)).isFalse();
      assertThat(message.refuses(false, false)).isTrue();
      assertThat(message.refuses(false, true)).isTrue();
      message.begin(true);
      assertThat(message.refuses(true, true)).isTrue();
      assertThat(message.refuses(false, true)).isFalse();
      assertThat(message.refuses(false, false)).isTrue();
    }
  }

  @Nested
  class HeldReceiveTest {
    private final LoneEnd end = new LoneEnd(ServiceType.RC);
    private final Refusal refusal = new Refusal();
    private final HeldReceive held =
        new HeldReceive(end.chip.chip(), end.self, end.life, end.source);

    private void post(int count) {
      for (int i = 0; i < count; i++) {
        end.receives.post(DataSegment.first(100 + i, 1), 0x1000);
      }
    }

    @Test
    void aReceiveIsTakenOnceForAMessage() {
      post(2);
      assertThat(held.take(end.source, refusal)).isTrue();
      assertThat(held.take(end.source, refusal)).isTrue();
      assertThat(held.isHeld()).isTrue();
      assertThat(held.wqe().capacity()).isEqualTo(100);
      assertThat(end.receives.queue().consumed()).isEqualTo(1);
      assertThat(held.pd()).isEqualTo(end.receives.queue().pd());
      assertThat(held.syndrome(Syndrome.LOCAL_ACCESS_ERR)).isEqualTo(Syndrome.LOCAL_ACCESS_ERR);
    }

    @Test
    void withoutAReceiveTheMessageIsRefused() {
      assertThat(held.take(end.source, refusal)).isFalse();
      assertThat(refusal.code()).isEqualTo(Aeth.RNR_NAK);
      assertThat(refusal.syndrome()).isZero();
      assertThat(held.isHeld()).isFalse();
      assertThat(held.syndrome(Syndrome.LOCAL_ACCESS_ERR)).isZero();
    }

    @Test
    void anOverrunQueueIsRefused() {
      end.receives.setRecord(200);
      assertThat(held.take(end.source, refusal)).isFalse();
      assertThat(refusal.code()).isEqualTo(Aeth.REMOTE_OPERATION_NAK);
    }

    @Test
    void aFinishedReceiveCompletesWithItsIndex() {
      post(1);
      assertThat(held.take(end.source, refusal)).isTrue();
      assertThat(held.finish(CqeOpcode.RESP_SEND_IMM, 0x50, 7, 0x99, true)).isTrue();
      assertThat(end.receivesCompleted())
          .containsExactly("RESP_SEND_IMM 0, 7 bytes, immediate 0x99, solicited");
      assertThat(held.isHeld()).isFalse();
    }

    @Test
    void aFailedReceiveIsHeldNoMore() {
      post(1);
      assertThat(held.take(end.source, refusal)).isTrue();
      held.fail(Syndrome.LOCAL_LENGTH_ERR, 0, "why");
      held.flush("nothing is held");
      assertThat(end.receivesCompleted()).containsExactly("RESP_ERR 0: LOCAL_LENGTH_ERR 0x00, why");
    }

    @Test
    void aResetForgetsTheReceive() {
      post(1);
      assertThat(held.take(end.source, refusal)).isTrue();
      held.reset();
      held.flush("why");
      assertThat(end.receivesCompleted()).isEmpty();
    }

    @Test
    void theLimitOfAPoolIsAnEvent() {
      post(2);
      end.receives.queue().setLimit(2);
      assertThat(held.take(end.source, refusal)).isTrue();
      assertThat(end.chip.takeEvents()).containsExactly("SRQ_LIMIT of 0x0");
    }
  }

  @Nested
  class RefusalTest {
    private final Refusal refusal = new Refusal();

    @Test
    void aRefusalIsKeptUntilItIsCleared() {
      assertThat(refusal.refuse(Aeth.REMOTE_ACCESS_NAK, Syndrome.LOCAL_ACCESS_ERR, "why"))
          .isFalse();
      assertThat(refusal.code()).isEqualTo(Aeth.REMOTE_ACCESS_NAK);
      assertThat(refusal.syndrome()).isEqualTo(Syndrome.LOCAL_ACCESS_ERR);
      assertThat(refusal.explanation()).isEqualTo("why");
      refusal.clear();
      assertThat(refusal.code()).isZero();
      assertThat(refusal.syndrome()).isZero();
      assertThat(refusal.explanation()).isEmpty();
    }
  }
}
