package dev.bluebell.verbs.dynamic;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.ArmDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DctCommands.QueryDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctOut;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.command.Route;
import dev.bluebell.verbs.object.DeviceCapabilities;

/**
 * The commands of DC targets: functions from values to command bytes and back. The fields that
 * CREATE_DCT sets mirror {@code qp.c: mlx5_ib_modify_dct} of Linux.
 */
public final class DcCommands {
  private DcCommands() {}

  /**
   * CREATE_DCT.
   *
   * @param userIndex the user index that completions carry
   * @param mtu largest packet payload in bytes
   */
  public static byte[] createTarget(
      DcTargetBuilderImpl plan, LocalAddress address, int userIndex, int mtu) {
    View command = View.command(CreateDctIn.STRUCTURE, CommandOpcode.CREATE_DCT);
    boolean atomic = plan.access.contains(Access.REMOTE_ATOMIC);
    int atomicMode =
        DeviceCapabilities.atomicMode(plan.domain.device().attributes().dcMaskedAtomicSizes());
    command
        .at(CreateDctIn.DCT_CONTEXT_ENTRY)
        .set(Dctc.USER_INDEX, userIndex)
        .set(Dctc.CQN, plan.completions.number())
        .set(Dctc.SRQN_XRQN, plan.receives.number())
        .set(Dctc.PD, plan.domain.number())
        .set(Dctc.RRE, plan.access.contains(Access.REMOTE_READ))
        .set(Dctc.RWE, plan.access.contains(Access.REMOTE_WRITE))
        .set(Dctc.RAE, atomic)
        .set(Dctc.ATOMIC_MODE, atomic ? atomicMode : 0)
        .set(Dctc.MIN_RNR_NAK, plan.minRnrTimer)
        .set(Dctc.DC_ACCESS_KEY, plan.accessKey)
        .set(Dctc.MTU, PathMtu.code(mtu))
        .set(Dctc.PORT, address.port())
        .set(Dctc.PKEY_INDEX, address.pkeyIndex())
        .set(Dctc.MY_ADDR_INDEX, address.gidIndex())
        .set(Dctc.HOP_LIMIT, Route.HOP_LIMIT);
    return command.bytes();
  }

  /** RTS2RTS_QP that restarts a failed stream of an initiator. */
  public static byte[] resetStream(int qpn, int stream) {
    View command =
        View.of(Rts2rtsQpIn.STRUCTURE, QpcExt.STRUCTURE.bytes())
            .set(CmdIn.OPCODE, CommandOpcode.RTS2RTS_QP)
            .set(Rts2rtsQpIn.QPN, qpn)
            .set(Rts2rtsQpIn.QPC_EXT, true)
            .set(Rts2rtsQpIn.OPT_PARAM_MASK_95_32, QpOptionalParameter.EXT_DCI_STREAM);
    command.at(Rts2rtsQpIn.QPC_DATA_EXT).set(QpcExt.DCI_STREAM_CHANNEL_ID, stream);
    return command.bytes();
  }

  /** QUERY_DCT. */
  public static byte[] queryTarget(int dctn) {
    return View.command(QueryDctIn.STRUCTURE, CommandOpcode.QUERY_DCT)
        .set(QueryDctIn.DCTN, dctn)
        .bytes();
  }

  /** The context in the output of QUERY_DCT. */
  public static View context(byte[] output) {
    return View.over(output).at(QueryDctOut.DCT_CONTEXT_ENTRY);
  }

  /** ARM_DCT_FOR_KEY_VIOLATION. */
  public static byte[] armTarget(int dctn) {
    return View.command(ArmDctIn.STRUCTURE, CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION)
        .set(ArmDctIn.DCT_NUMBER, dctn)
        .bytes();
  }
}
