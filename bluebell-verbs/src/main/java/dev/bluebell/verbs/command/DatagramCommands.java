package dev.bluebell.verbs.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.structure.View;

/**
 * The commands of a datagram queue pair: functions from values to command bytes. The fields that
 * they set mirror {@code qp.c: __mlx5_ib_modify_qp} of Linux.
 */
public final class DatagramCommands {
  private DatagramCommands() {}

  /** RST2INIT_QP. */
  public static byte[] resetToInit(int qpn, LocalAddress address, int queueKey) {
    View command = ConnectionCommands.resetToInit(qpn, address);
    command.at(Rst2initQpIn.QPC).set(Qpc.Q_KEY, queueKey);
    return command.bytes();
  }

  /** ATTACH_TO_MCG. */
  public static byte[] attach(int qpn, Gid group) {
    return View.command(AttachToMcgIn.STRUCTURE, CommandOpcode.ATTACH_TO_MCG)
        .set(AttachToMcgIn.QPN, qpn)
        .setBytes(AttachToMcgIn.MULTICAST_GID, group.bytes())
        .bytes();
  }

  /** DETACH_FROM_MCG. */
  public static byte[] detach(int qpn, Gid group) {
    return View.command(DetachFromMcgIn.STRUCTURE, CommandOpcode.DETACH_FROM_MCG)
        .set(DetachFromMcgIn.QPN, qpn)
        .setBytes(DetachFromMcgIn.MULTICAST_GID, group.bytes())
        .bytes();
  }

  /** RTS2RTS_QP with another queue key. */
  public static byte[] rtsToRts(int qpn, int queueKey) {
    View command = ConnectionCommands.rtsToRts(qpn, QpOptionalParameter.Q_KEY);
    command.at(Rts2rtsQpIn.QPC).set(Qpc.Q_KEY, queueKey);
    return command.bytes();
  }
}
