package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.Rigs;
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

/** A link that carries less than 4096 bytes, and messages that log_msg_max limits. */
class LinkMtuTest {
  private final Rig rig = Rigs.open(options -> options.withMtu(1024));
  private final RawMemory source = rig.memory(8192).fill(1);
  private final RawMemory target = rig.memory(8192);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void thePortReportsTheMtuOfItsLink() {
    assertThat(rig.nic().queryPort(1).activeMtu()).isEqualTo(1024);
    assertThat(rig.nic().queryPort(1).maxMtu()).isEqualTo(4096);
  }

  @Test
  void aConnectionWithALargerPathMtuIsRefused() {
    RawQp qp = rig.qp(rig.cq(4));
    qp.object().modify(new Settings().toInit(qp.number()).bytes());
    HcaException refusal =
        Rig.refused(() -> qp.object().modify(new Settings().toRtr(qp.number(), 1).bytes()));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
    assertThat(refusal).hasMessageContaining("mtu 5 is 4096 bytes").hasMessageContaining("1024");
  }

  @Test
  void aConnectionOfItsMtuMovesMessages() {
    RawPair pair = rig.pair(new Settings().mtu(3));
    pair.left().post(Wqe.write(target, 0).data(source, 0, 5000));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 5000)).isEqualTo(source.bytes(0, 5000));
  }

  @Test
  void theLinkLimitsDatagramsDespiteALargerMtuInTheContext() {
    RawQp sender = datagrams(new Settings());
    sender.post(Wqe.datagram(sender, Addresses.LINK_LOCAL).data(source, 0, 1024));
    sender.post(Wqe.datagram(sender, Addresses.LINK_LOCAL).data(source, 0, 1025));
    rig.settle();
    var done = sender.sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.LOCAL_LENGTH_ERR, 2, "1024 bytes of a datagram (mtu)");
  }

  private RawQp datagrams(Settings settings) {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, settings);
    return qp;
  }

  @Test
  void logMsgMaxLimitsMessages() {
    RawPair pair = rig.pair(new Settings().mtu(3).logMessage(0));
    pair.left().post(Wqe.write(target, 0).data(source, 0, 1));
    pair.left().post(Wqe.write(target, 0).data(source, 0, 2));
    rig.settle();
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.LOCAL_LENGTH_ERR, 1, "1 bytes that log_msg_max");
  }

  @Test
  void logMsgMaxLimitsUnreliableMessagesToo() {
    RawQp sender = datagrams(new Settings().logMessage(3));
    sender.post(Wqe.datagram(sender, Addresses.LINK_LOCAL).data(source, 0, 8));
    sender.post(Wqe.datagram(sender, Addresses.LINK_LOCAL).data(source, 0, 9));
    rig.settle();
    var done = sender.sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.LOCAL_LENGTH_ERR, 2, "9 bytes", "log_msg_max 3");
    RawQpPlan plan = new RawQpPlan(rig.cq(6)).service(ServiceType.UC.code());
    RawQp connected = rig.qp(plan);
    connected.connect(connected.number(), new Settings().mtu(3).logMessage(3));
    connected.post(Wqe.write(target, 0).data(source, 0, 9));
    rig.settle();
    connected
        .sends()
        .pollOne()
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "8 bytes that log_msg_max");
  }
}
