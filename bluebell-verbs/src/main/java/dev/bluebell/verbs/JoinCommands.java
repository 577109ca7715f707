package dev.bluebell.verbs;

import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.Set;

/**
 * The commands that connect a queue pair of a program that is gone. They have no optional
 * parameters, so it keeps the rights that its program gave it.
 */
final class JoinCommands {
  private static final int PORT = 1;

  private JoinCommands() {}

  static byte[] initToRtr(Device device, QueuePairEndpoint seat, QueuePairEndpoint own) {
    HcaPort port = device.port(PORT);
    GidType type = port.linkLayer() == LinkLayer.INFINIBAND ? GidType.INFINIBAND : GidType.ROCE_V2;
    int gidIndex =
        GidTable.of(device.hca(), PORT, seat.gid(), type, device.gidIndex(PORT, GidTable.USUAL));
    LocalAddress address = new LocalAddress(PORT, gidIndex, 0, seat.lid() & (1 << port.lmc()) - 1);
    ConnectionSettings settings =
        new ConnectionSettings(
            ServiceType.RC, Set.of(), address, seat.responderResources(), seat.psn());
    Route route = address.routeTo(device, own.gid(), own.lid(), false);
    byte[] command =
        ConnectionCommands.initToRtr(
            seat.qpn(),
            settings,
            new PeerRights(Set.of(), 0),
            own,
            route,
            Math.min(seat.mtu(), own.mtu()),
            ConnectOptions.DEFAULT);
    return View.over(command).set(Init2rtrQpIn.OPT_PARAM_MASK, 0).bytes();
  }

  static byte[] rtrToRts(Device device, QueuePairEndpoint seat, QueuePairEndpoint own) {
    int reads = Math.min(device.attributes().maxReads(), own.responderResources());
    return ConnectionCommands.rtrToRts(
        seat.qpn(), seat.psn(), Math.max(1, reads), ConnectOptions.DEFAULT);
  }
}
