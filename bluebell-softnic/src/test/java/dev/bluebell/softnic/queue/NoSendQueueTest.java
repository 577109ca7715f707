package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queue pairs that only receive. */
class NoSendQueueTest {
  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(64).fill(1);
  private final RawMemory target = rig.memory(64);
  private final RawQp receiver =
      rig.qp(new RawQpPlan(rig.cq(6)).change(qpc -> qpc.set(Qpc.NO_SQ, true)));
  private final RawPair pair = RawPair.connect(rig.qp(rig.cq(6)), receiver, new Settings());

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private void sendToIt() {
    receiver.receive(target.address(0), 64, target.key());
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  @Test
  void aQueuePairWithoutASendQueueReceives() {
    sendToIt();
    assertThat(receiver.query().isSet(Qpc.NO_SQ)).isTrue();
  }

  @Test
  void aPostedSendIsIgnoredAndItsDoorbellIsExplained() {
    receiver.post(Wqe.send().data(source, 0, 64));
    rig.settle();
    assertThat(rig.explanation())
        .contains("QP 0x%x".formatted(receiver.number()), "without a send queue (no_sq)");
    assertThat(receiver.sends().peek()).isEmpty();
    sendToIt();
  }

  @Test
  void theErrorStateFlushesReceivesOnly() {
    receiver.receive(target.address(0), 64, target.key());
    receiver.post(Wqe.send().data(source, 0, 64));
    receiver.toError();
    rig.settle();
    assertThat(receiver.sends().pollOne().opcode()).isEqualTo(CqeOpcode.RESP_ERR);
  }

  @Test
  void theSendRingNeedsNoRoom() {
    RawQp other =
        rig.qp(
            new RawQpPlan(rig.cq(6))
                .change(qpc -> qpc.set(Qpc.NO_SQ, true).set(Qpc.LOG_SQ_SIZE, 15)));
    assertThat(other.number()).isNotZero();
  }
}
