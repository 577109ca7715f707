package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.QueryQpResp;
import dev.bluebell.uverbs.cq.Cq;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.srq.Srq;
import dev.bluebell.uverbs.xrc.XrcDomain;
import org.jspecify.annotations.Nullable;

/**
 * The commands that create a queue pair and query it. Mirrors {@code mlx5_ib qp.c: create_user_qp,
 * create_dci, query_qp_attr}.
 */
final class QpCommands {
  static final int LOG_MSG_MAX = 30;
  static final int LOG_ACK_REQ_FREQ = 8;

  // As the kernel sets them: fields of the context have five bits.
  private static final int STREAM_BITS = 0x1f;

  /** {@code mlx5_ib.h: MLX5_IB_DEFAULT_UIDX}. */
  private static final int NO_USER_INDEX = 0xffffff;

  private QpCommands() {}

  static byte[] create(
      QpRequest request, QpType type, QpShape shape, Pd pd, Cq sends, Cq receives) {
    ScatterToCqe scatter =
        ScatterToCqe.of(type, request.driverFlags(), request.signalsAll(), sends, receives);
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .set(CreateQpIn.WQ_UMEM_ID, shape.rings().umem())
        .set(CreateQpIn.WQ_UMEM_OFFSET, shape.rings().offset())
        .set(CreateQpIn.WQ_UMEM_VALID, true);
    View qpc = command.at(CreateQpIn.QPC);
    qpc.set(Qpc.ST, type.service().code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, pd.number())
        .set(Qpc.WQ_SIGNATURE, shape.signed())
        .set(Qpc.LOG_MSG_MAX, LOG_MSG_MAX)
        .set(Qpc.UAR_PAGE, shape.register().page())
        .set(Qpc.USER_INDEX, request.userIndex())
        .set(Qpc.CQN_SND, sends.number())
        .set(Qpc.CQN_RCV, receives.number())
        .set(Qpc.CS_REQ, scatter.answers())
        .set(Qpc.CS_RES, scatter.messages())
        .set(Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQ_FREQ)
        .set(Qpc.DBR_UMEM_ID, shape.record().umem())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, shape.record().offset());
    CreateFlags.set(qpc, request.flags());
    if (shape.sends() == 0) {
      qpc.set(Qpc.NO_SQ, true)
          .set(Qpc.OFFLOAD_TYPE, shape.matchesTags() ? Qpc.OFFLOAD_TYPE_RNDV : 0);
    } else {
      qpc.set(Qpc.LOG_SQ_SIZE, log2(shape.sends()));
    }
    @Nullable Srq shared = shape.shared();
    if (type == QpType.XRC_INI) {
      // Linux names its own domain and SRQ here, which no message can match either.
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED);
    } else if (shared != null) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED).set(Qpc.SRQN_RMPN_XRQN, shared.number());
    } else if (shape.receives() == 0) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_NONE);
    } else {
      qpc.set(Qpc.LOG_RQ_SIZE, log2(shape.receives()))
          .set(Qpc.LOG_RQ_STRIDE, shape.logReceiveStride() - Qpc.LOG_RQ_STRIDE_OF_0);
    }
    if (type == QpType.DCI && (request.driverFlags() & Mlx5.QP_FLAG_DCI_STREAM) != 0) {
      setStreams(qpc, request.driver());
    }
    return command.bytes();
  }

  /** Writes the number of an initiator's streams, and how many of them may fail. */
  private static void setStreams(View qpc, View driver) {
    qpc.set(
            Qpc.LOG_NUM_DCI_STREAM_CHANNELS,
            driver.getInt(Mlx5CreateQp.LOG_NUM_CONCURENT) & STREAM_BITS)
        .set(
            Qpc.LOG_NUM_DCI_ERRORED_STREAMS,
            driver.getInt(Mlx5CreateQp.LOG_NUM_ERRORED) & STREAM_BITS);
  }

  /** The command that creates an XRC target. Mirrors {@code mlx5_ib qp.c: create_xrc_tgt_qp}. */
  static byte[] createTarget(XrcDomain domain) {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .at(CreateQpIn.QPC)
        .set(Qpc.ST, QpType.XRC_TGT.service().code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, domain.pd())
        .set(Qpc.NO_SQ, true)
        .set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
        .set(Qpc.CQN_SND, domain.cqn())
        .set(Qpc.CQN_RCV, domain.cqn())
        .set(Qpc.XRCD, domain.number())
        .set(Qpc.USER_INDEX, NO_USER_INDEX);
    return command.bytes();
  }

  static byte[] query(int qpn) {
    return View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
        .set(QueryQpIn.QPN, qpn)
        .bytes();
  }

  /** The attributes in the answer to a query, without those that the device does not know. */
  static View attributes(byte[] output) {
    View qpc = View.over(output).at(QueryQpOut.QPC);
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    int state = state(output);
    View attributes = View.of(QueryQpResp.STRUCTURE);
    QpPath.get(path, attributes.at(QueryQpResp.DEST));
    return attributes
        .set(QueryQpResp.QKEY, qpc.getInt(Qpc.Q_KEY))
        .set(QueryQpResp.RQ_PSN, qpc.getInt(Qpc.NEXT_RCV_PSN))
        .set(QueryQpResp.SQ_PSN, qpc.getInt(Qpc.NEXT_SEND_PSN))
        .set(QueryQpResp.DEST_QP_NUM, qpc.getInt(Qpc.REMOTE_QPN))
        .set(QueryQpResp.QP_ACCESS_FLAGS, QpRights.OF_QP.get(qpc))
        .set(QueryQpResp.PKEY_INDEX, path.getInt(Ads.PKEY_INDEX))
        .set(QueryQpResp.QP_STATE, state)
        .set(QueryQpResp.CUR_QP_STATE, state)
        .set(QueryQpResp.PATH_MTU, qpc.getInt(Qpc.MTU))
        .set(QueryQpResp.MAX_RD_ATOMIC, 1 << qpc.getInt(Qpc.LOG_SRA_MAX))
        .set(QueryQpResp.MAX_DEST_RD_ATOMIC, 1 << qpc.getInt(Qpc.LOG_RRA_MAX))
        .set(QueryQpResp.MIN_RNR_TIMER, qpc.getInt(Qpc.MIN_RNR_NAK))
        .set(QueryQpResp.PORT_NUM, path.getInt(Ads.VHCA_PORT_NUM))
        .set(QueryQpResp.TIMEOUT, path.getInt(Ads.ACK_TIMEOUT))
        .set(QueryQpResp.RETRY_CNT, qpc.getInt(Qpc.RETRY_COUNT))
        .set(QueryQpResp.RNR_RETRY, qpc.getInt(Qpc.RNR_RETRY));
  }

  /** The state in a queried context, as clients number them. */
  static int state(byte[] output) {
    // mlx5 and verbs swap the numbers of SQER and SQD.
    int state = View.over(output).at(QueryQpOut.QPC).getInt(Qpc.STATE);
    return switch (state) {
      case QpState.SQER -> QpStates.SQE;
      case QpState.SQD -> QpStates.SQD;
      default -> state;
    };
  }

  /** Logarithm, rounded up; 0 for 0. */
  static int log2Up(int value) {
    return value <= 1 ? 0 : log2(value - 1) + 1;
  }

  /** Logarithm, rounded down; 0 for 0. */
  static int log2(int value) {
    return value == 0 ? 0 : 31 - Integer.numberOfLeadingZeros(value);
  }
}
