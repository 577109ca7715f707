package dev.bluebell.verbs.xrc;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.command.ReceiveEntries;

/**
 * The commands of extended reliable connections: functions from values to command bytes. They
 * mirror {@code srq_cmd.c: create_xrc_srq_cmd} and {@code qp.c: create_xrc_tgt_qp} of Linux.
 */
public final class XrcCommands {
  private XrcCommands() {}

  /** ALLOC_XRCD. */
  public static byte[] allocateDomain() {
    return View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD).bytes();
  }

  /**
   * CREATE_XRC_SRQ of a linked list.
   *
   * @param userIndex the user index that completions carry
   */
  public static byte[] createReceives(
      ReceiveEntries entries, int xrcd, int completions, int userIndex) {
    View command = View.command(CreateXrcSrqIn.STRUCTURE, CommandOpcode.CREATE_XRC_SRQ);
    command
        .set(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID, true)
        .set(XrcSrqUmems.WQ_UMEM_ID, entries.memory().umem().number())
        .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
        .set(XrcSrqc.LOG_XRC_SRQ_SIZE, entries.shape().logEntries())
        .set(XrcSrqc.LOG_RQ_STRIDE, entries.shape().logStride() - Qpc.LOG_RQ_STRIDE_OF_0)
        .set(XrcSrqc.XRCD, xrcd)
        .set(XrcSrqc.CQN, completions)
        .set(XrcSrqc.USER_INDEX, userIndex)
        .set(XrcSrqc.PD, entries.domain())
        .set(XrcSrqc.DBR_UMEM_VALID, true)
        .set(XrcSrqUmems.DBR_UMEM_ID, entries.record().umem())
        .set(XrcSrqUmems.DBR_ADDR, entries.record().offset());
    return command.bytes();
  }

  /** ARM_XRC_SRQ with another limit; 0 for none. */
  public static byte[] limit(int number, int limit) {
    return View.command(ArmXrcSrqIn.STRUCTURE, CommandOpcode.ARM_XRC_SRQ)
        .set(CmdIn.OP_MOD, ArmXrcSrqIn.OP_MOD_XRC_SRQ)
        .set(ArmXrcSrqIn.XRC_SRQN, number)
        .set(ArmXrcSrqIn.LWM, limit)
        .bytes();
  }

  /**
   * CREATE_QP of a target, which has no queue.
   *
   * @param domain a protection domain, which no request of a target uses
   * @param cqn a completion queue, where nothing completes
   * @param timestampFormat see {@link dev.bluebell.verbs.object.DeviceCapabilities#timestampFormat}
   */
  public static byte[] createTarget(int xrcd, int domain, int cqn, int timestampFormat) {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .at(CreateQpIn.QPC)
        .set(Qpc.ST, ServiceType.XRC.code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, domain)
        .set(Qpc.LOG_MSG_MAX, QueuePairCommands.LOG_MSG_MAX)
        .set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
        .set(Qpc.NO_SQ, true)
        .set(Qpc.TS_FORMAT, timestampFormat)
        .set(Qpc.XRCD, xrcd)
        .set(Qpc.CQN_SND, cqn)
        .set(Qpc.CQN_RCV, cqn);
    return command.bytes();
  }
}
