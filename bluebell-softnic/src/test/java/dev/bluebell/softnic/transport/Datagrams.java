package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;

/** Two datagram queue pairs of one device, with memory to send from and to receive into. */
abstract class Datagrams {
  static final int QKEY = 0x11111111;
  static final int UD = 2;

  final Rig rig = Rigs.open();
  final RawQp sender = datagrams();
  final RawQp receiver = datagrams();
  final RawMemory source = rig.memory(8192).fill(1);
  final RawMemory target = rig.memory(8192);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  /** Describes a datagram queue pair of the usual size. */
  final RawQpPlan plan() {
    return new RawQpPlan(rig.cq(6)).service(UD);
  }

  /** A further queue pair, ready to send. */
  final RawQp datagrams() {
    return ready(plan());
  }

  /** Creates a queue pair and makes it ready to send. */
  final RawQp ready(RawQpPlan plan) {
    RawQp qp = rig.qp(plan);
    qp.connect(0, new Settings());
    return qp;
  }

  /** Posts a receive of the whole target. */
  final void receive(RawQp qp) {
    qp.receive(target.address(0), 8192, target.key());
  }

  /** A datagram of 8 bytes to a queue pair. */
  final Wqe to(int qpn) {
    return Wqe.datagram(
            WqeOpcode.SEND, qpn, QKEY, Addresses.LINK_LOCAL, Addresses.gid(Addresses.LINK_LOCAL))
        .data(source, 0, 8);
  }
}
