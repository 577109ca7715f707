package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.structure.View;

/**
 * The commands of SRQs of XRC. Mirrors {@code mlx5_ib srq_cmd.c: create_xrc_srq_cmd} and its
 * neighbours.
 *
 * @param xrcd number of the XRC domain
 * @param userIndex by which completions identify the SRQ
 */
record XrcSrqCommands(int xrcd, int cqn, int userIndex) implements SrqCommands {
  @Override
  public ObjectKind kind() {
    return ObjectKind.XRC_SRQ;
  }

  @Override
  public byte[] create(Shape shape) {
    View command =
        View.command(CreateXrcSrqIn.STRUCTURE, CommandOpcode.CREATE_XRC_SRQ)
            .set(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID, true)
            .set(XrcSrqUmems.WQ_UMEM_ID, shape.ring().umem())
            .set(XrcSrqUmems.WQ_UMEM_OFFSET, shape.ring().offset());
    command
        .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
        .set(XrcSrqc.WQ_SIGNATURE, shape.signed())
        .set(XrcSrqc.PD, shape.pd())
        .set(XrcSrqc.XRCD, xrcd)
        .set(XrcSrqc.CQN, cqn)
        .set(XrcSrqc.USER_INDEX, userIndex)
        .set(XrcSrqc.LOG_XRC_SRQ_SIZE, shape.logEntries())
        .set(XrcSrqc.LOG_RQ_STRIDE, shape.logStride() - Qpc.LOG_RQ_STRIDE_OF_0)
        .set(XrcSrqc.DBR_UMEM_VALID, true)
        .set(XrcSrqUmems.DBR_UMEM_ID, shape.record().umem())
        .set(XrcSrqUmems.DBR_ADDR, shape.record().offset());
    return command.bytes();
  }

  @Override
  public byte[] arm(int number, int limit) {
    return View.command(ArmXrcSrqIn.STRUCTURE, CommandOpcode.ARM_XRC_SRQ)
        .set(CmdIn.OP_MOD, ArmXrcSrqIn.OP_MOD_XRC_SRQ)
        .set(ArmXrcSrqIn.XRC_SRQN, number)
        .set(ArmXrcSrqIn.LWM, limit)
        .bytes();
  }

  @Override
  public byte[] query(int number) {
    return View.command(QueryXrcSrqIn.STRUCTURE, CommandOpcode.QUERY_XRC_SRQ)
        .set(QueryXrcSrqIn.XRC_SRQN, number)
        .bytes();
  }

  @Override
  public int limit(byte[] answer) {
    return View.over(answer).at(QueryXrcSrqOut.XRC_SRQ_CONTEXT_ENTRY).getInt(XrcSrqc.LWM);
  }
}
