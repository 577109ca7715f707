package dev.bluebell.verbs.device;

import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.GidType;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.command.ConnectionCommands;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.command.PeerRights;
import dev.bluebell.verbs.command.Route;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.GidTable;
import java.util.Set;

/**
 * The commands that connect a queue pair that a client process left behind. They set no optional
 * parameters, so it keeps the rights that the client gave it.
 */
public final class JoinCommands {
  private static final int PORT = 1;

  private JoinCommands() {}

  public static byte[] initToRtr(
      DeviceContext device, QueuePairEndpoint seat, QueuePairEndpoint own) {
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
            ConnectOptions.DEFAULT.withPathMtu(Math.min(seat.mtu(), own.mtu())));
    return View.over(command).set(Init2rtrQpIn.OPT_PARAM_MASK, 0).bytes();
  }

  public static byte[] rtrToRts(
      DeviceContext device, QueuePairEndpoint seat, QueuePairEndpoint own) {
    int reads = Math.min(device.attributes().maxReads(), own.responderResources());
    return ConnectionCommands.rtrToRts(
        seat.qpn(), seat.psn(), Math.max(1, reads), ConnectOptions.DEFAULT);
  }
}
