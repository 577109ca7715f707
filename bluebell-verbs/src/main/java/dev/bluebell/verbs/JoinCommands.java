package dev.bluebell.verbs;

import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.command.Init2rtrQpIn;
import dev.bluebell.hca.command.View;
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
    int gidIndex = GidTable.of(device.hca(), PORT, seat.gid());
    ConnectionSettings settings =
        new ConnectionSettings(
            ServiceType.RC, Set.of(), PORT, gidIndex, 0, seat.responderResources(), seat.psn());
    HcaPath path = device.hca().resolve(PORT, gidIndex, own.gid());
    byte[] command =
        ConnectionCommands.initToRtr(
            seat.qpn(),
            settings,
            new PeerRights(Set.of(), 0),
            own,
            path,
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
