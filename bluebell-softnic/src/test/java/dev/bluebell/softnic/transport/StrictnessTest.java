package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The choices of a strict device where public sources leave the behaviour open. */
class StrictnessTest {
  private final Rig rig = Rigs.open(SoftNicOptions::withStrict);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void undefinedBytesOfADatagramLookLikeAnotherHeader() {
    RawMemory memory = rig.memory(256);
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, new Settings());
    qp.receive(memory.address(0), 128, memory.key());
    qp.post(Wqe.datagram(qp, Addresses.IPV4).data(memory, 200, 8));
    rig.settle();
    assertThat(qp.receives().poll(2)).hasSize(2);
    assertThat(memory.bytes(0, 1)[0] >> 4).isEqualTo(6);
    assertThat(memory.bytes(20, 1)[0]).isEqualTo((byte) 0x45);
  }

  @Test
  void aRequestThatAsksForAnEventDoesNotCountAsSolicited() {
    RawQp left = rig.pair().left();
    rig.subscribe(left.sends().object(), HcaEvent.COMPLETION);
    left.sends().arm(0, true);
    left.post(Wqe.nop().control(ControlSegment.CE_ALWAYS_EVENT));
    rig.settle();
    left.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.takeEvents()).isEmpty();
  }

  @Test
  void atomicsAmongOtherRequestsReturnTheirResults() {
    RawMemory memory = rig.memory(64);
    memory.putLong(0, 41);
    RawPair pair = rig.pair();
    pair.left().write(atomic(WqeOpcode.ATOMIC_FA, memory).words(1, 0).data(memory, 8, 8));
    pair.left().post(atomic(WqeOpcode.ATOMIC_CS, memory).words(7, 42).data(memory, 16, 8));
    rig.settle();
    pair.left().sends().poll(2);
    assertThat(memory.getLong(0)).isEqualTo(7);
    assertThat(memory.getLong(8)).isEqualTo(41);
    assertThat(memory.getLong(16)).isEqualTo(42);
  }

  private static Wqe atomic(int opcode, RawMemory memory) {
    return new Wqe(opcode).remote(memory.address(0), memory.key());
  }
}
