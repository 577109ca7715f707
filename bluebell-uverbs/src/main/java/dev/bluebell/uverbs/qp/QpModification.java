package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.uverbs.session.VportContext;

/**
 * The command that changes a queue pair. All transition commands have one layout. Mirrors {@code
 * mlx5_ib qp.c: __mlx5_ib_modify_qp}.
 *
 * @param rights access flags of the queue pair afterwards
 * @param reads concurrent READs and atomics that it answers afterwards
 * @param outOfOrder whether its data may be placed out of order
 */
record QpModification(Hca hca, int qpn, QpType type, int rights, int reads, boolean outOfOrder) {
  private static final int LOG_DATAGRAM_MAX = 12;

  // ib_verbs.h: ib_mig_state.
  private static final int REARM = 1;
  private static final int ARMED = 2;

  /**
   * The command for a transition.
   *
   * @param opcode of the transition
   */
  byte[] command(int opcode, QpAttributes given) {
    View command =
        View.command(Rst2initQpIn.STRUCTURE, opcode)
            .set(Rst2initQpIn.QPN, qpn)
            .set(Rst2initQpIn.OPT_PARAM_MASK, optional(opcode, given));
    View qpc = command.at(Rst2initQpIn.QPC);
    // Without responder resources, READs and atomics are not allowed.
    int answered = reads == 0 ? rights & HcaAccess.REMOTE_WRITE : rights;
    int atomicMode = AtomicMode.largest(hca, AtomicCaps.ATOMIC_SIZE_QP, outOfOrder);
    QpRights.OF_QP.set(qpc, answered, atomicMode);
    qpc.set(Qpc.PM_STATE, migration(given))
        .set(Qpc.LOG_MSG_MAX, QpCommands.LOG_MSG_MAX)
        .set(Qpc.LOG_ACK_REQ_FREQ, QpCommands.LOG_ACK_REQ_FREQ)
        .set(Qpc.LOG_RRA_MAX, QpCommands.log2Up(reads));
    if (type == QpType.UD) {
      // As in the kernel, for every MTU of the port.
      qpc.set(Qpc.MTU, PathMtu.LARGEST).set(Qpc.LOG_MSG_MAX, LOG_DATAGRAM_MAX);
    }
    if (outOfOrder && opcode == CommandOpcode.INIT2RTR_QP) {
      qpc.set(Qpc.DP_ORDERING_1, true).set(Qpc.DP_ORDERING_FORCE, true);
    }
    setPath(qpc.at(Qpc.PRIMARY_ADDRESS_PATH), given);
    setGiven(qpc, given);
    return command.bytes();
  }

  private int optional(int opcode, QpAttributes given) {
    boolean partition = given.has(QpMask.PKEY_INDEX) && opcode != CommandOpcode.RST2INIT_QP;
    int moved = partition ? QpOptionalParameter.PKEY_INDEX : 0;
    if (type == QpType.UD) {
      return moved | (given.has(QpMask.QKEY) ? QpOptionalParameter.Q_KEY : 0);
    }
    return moved
        | QpOptionalParameter.RIGHTS
        | (given.has(QpMask.MIN_RNR_TIMER) ? QpOptionalParameter.RNR_TIMEOUT : 0)
        // The device has no automatic path migration: it says so, and uses neither.
        | (given.has(QpMask.ALT_PATH) ? QpOptionalParameter.ALT_ADDR_PATH : 0)
        | (given.has(QpMask.PATH_MIG_STATE) ? QpOptionalParameter.PM_STATE : 0);
  }

  private static int migration(QpAttributes given) {
    int state = given.has(QpMask.PATH_MIG_STATE) ? given.getInt(ModifyQp.PATH_MIG_STATE) : 0;
    return switch (state) {
      case REARM -> Qpc.PM_STATE_REARM;
      case ARMED -> Qpc.PM_STATE_ARMED;
      default -> Qpc.PM_STATE_MIGRATED;
    };
  }

  private void setPath(View path, QpAttributes given) {
    path.set(Ads.VHCA_PORT_NUM, VportContext.PORT);
    given.copy(QpMask.PKEY_INDEX, ModifyQp.PKEY_INDEX, path, Ads.PKEY_INDEX);
    if (given.has(QpMask.AV)) {
      QpPath.set(hca, path, given.destination());
    }
    given.copy(QpMask.TIMEOUT, ModifyQp.TIMEOUT, path, Ads.ACK_TIMEOUT);
  }

  private static void setGiven(View qpc, QpAttributes given) {
    given.copy(QpMask.QKEY, ModifyQp.QKEY, qpc, Qpc.Q_KEY);
    given.copy(QpMask.PATH_MTU, ModifyQp.PATH_MTU, qpc, Qpc.MTU);
    given.copy(QpMask.DEST_QPN, ModifyQp.DEST_QP_NUM, qpc, Qpc.REMOTE_QPN);
    given.copy(QpMask.RQ_PSN, ModifyQp.RQ_PSN, qpc, Qpc.NEXT_RCV_PSN);
    given.copy(QpMask.SQ_PSN, ModifyQp.SQ_PSN, qpc, Qpc.NEXT_SEND_PSN);
    given.copy(QpMask.MIN_RNR_TIMER, ModifyQp.MIN_RNR_TIMER, qpc, Qpc.MIN_RNR_NAK);
    given.copy(QpMask.RETRY_CNT, ModifyQp.RETRY_CNT, qpc, Qpc.RETRY_COUNT);
    given.copy(QpMask.RNR_RETRY, ModifyQp.RNR_RETRY, qpc, Qpc.RNR_RETRY);
    if (given.has(QpMask.MAX_QP_RD_ATOMIC) && given.getInt(ModifyQp.MAX_RD_ATOMIC) > 0) {
      qpc.set(Qpc.LOG_SRA_MAX, QpCommands.log2Up(given.getInt(ModifyQp.MAX_RD_ATOMIC)));
    }
  }
}
