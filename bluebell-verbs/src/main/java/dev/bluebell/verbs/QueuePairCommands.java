package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Qp2ErrIn;
import dev.bluebell.hca.command.QpTransitions.Qp2rstIn;
import dev.bluebell.hca.command.QpTransitions.Sqerr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.EnumSet;
import java.util.Set;

/**
 * The commands that queue pairs of all services share: functions from values to command bytes and
 * back.
 */
final class QueuePairCommands {
  static final int LOG_MSG_MAX = 30;
  static final int LOG_ACK_REQ_FREQ = 8;

  private QueuePairCommands() {}

  /**
   * CREATE_QP. The receive queue comes first in the memory, the send queue right behind it.
   *
   * @param userIndex the number that completions shall carry
   */
  static byte[] create(QueuePairPlan plan, QueueResources resources, int userIndex) {
    QueuePairShape shape = plan.shape();
    DoorbellRecordPool.Record record = resources.record();
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .set(CreateQpIn.WQ_UMEM_ID, resources.memory().umem().number())
        .set(CreateQpIn.WQ_UMEM_VALID, true);
    View qpc = command.at(CreateQpIn.QPC);
    qpc.set(Qpc.ST, plan.service().code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, plan.domain().number())
        .set(Qpc.LOG_MSG_MAX, LOG_MSG_MAX)
        .set(Qpc.LOG_SQ_SIZE, shape.logSendWqebbs())
        .set(Qpc.RLKY, true)
        .set(Qpc.FRE, true)
        .set(Qpc.UAR_PAGE, resources.register().page())
        .set(Qpc.USER_INDEX, userIndex)
        .set(Qpc.CQN_SND, plan.sendCompletions().number())
        .set(Qpc.CQN_RCV, plan.receiveCompletions().number())
        .set(Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQ_FREQ)
        .set(Qpc.DBR_UMEM_ID, record.umem())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, record.offset())
        .set(Qpc.CS_REQ, csReq(plan.answersInCqe()))
        .set(Qpc.CS_RES, csRes(plan.receivesInCqe()))
        .set(Qpc.WQ_SIGNATURE, plan.signatures())
        .set(Qpc.CD_MASTER, plan.channel().master())
        .set(Qpc.CD_SLAVE_SEND, plan.channel().managedSends())
        .set(Qpc.CD_SLAVE_RECEIVE, plan.channel().managedReceives())
        .set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, Sizes.log2Floor(plan.streams().streams()))
        .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, Sizes.log2Floor(plan.streams().failures()));
    if (shape.hasReceiveQueue()) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_REGULAR)
          .set(Qpc.LOG_RQ_SIZE, shape.logReceives())
          .set(Qpc.LOG_RQ_STRIDE, shape.logReceiveStride() - Qpc.LOG_RQ_STRIDE_OF_0);
    } else if (plan.sharedReceives() != null) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
          .set(Qpc.SRQN_RMPN_XRQN, plan.sharedReceives().number());
    } else {
      // Whoever a queue pair of XRC talks to, messages name their shared queues themselves.
      boolean named = plan.service() == ServiceType.XRC;
      qpc.set(Qpc.RQ_TYPE, named ? Qpc.RQ_TYPE_SHARED : Qpc.RQ_TYPE_NONE);
    }
    return command.bytes();
  }

  /**
   * INIT2RTR_QP of a service whose requests name their destinations.
   *
   * @param mtu largest packet payload in bytes
   * @param logMsgMax binary logarithm of the longest message
   */
  static byte[] initToRtr(int qpn, int mtu, int logMsgMax) {
    View command =
        View.command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP).set(Init2rtrQpIn.QPN, qpn);
    command.at(Init2rtrQpIn.QPC).set(Qpc.MTU, PathMtu.code(mtu)).set(Qpc.LOG_MSG_MAX, logMsgMax);
    return command.bytes();
  }

  /** cs_req, {@code qp.h: MLX5_REQ_SCAT_DATA32_CQE, MLX5_REQ_SCAT_DATA64_CQE}. */
  private static int csReq(int bytes) {
    return 0x11 * csRes(bytes);
  }

  /** cs_res, {@code qp.h: MLX5_RES_SCAT_DATA32_CQE, MLX5_RES_SCAT_DATA64_CQE}. */
  private static int csRes(int bytes) {
    return bytes / 32;
  }

  /** 2ERR_QP. */
  static byte[] toError(int qpn) {
    return View.command(Qp2ErrIn.STRUCTURE, CommandOpcode.QP_2ERR).set(Qp2ErrIn.QPN, qpn).bytes();
  }

  /** 2RST_QP. */
  static byte[] toReset(int qpn) {
    return View.command(Qp2rstIn.STRUCTURE, CommandOpcode.QP_2RST).set(Qp2rstIn.QPN, qpn).bytes();
  }

  /** SQERR2RTS_QP. */
  static byte[] restartSendQueue(int qpn) {
    return View.command(Sqerr2rtsQpIn.STRUCTURE, CommandOpcode.SQERR2RTS_QP)
        .set(Sqerr2rtsQpIn.QPN, qpn)
        .bytes();
  }

  /** QUERY_QP. */
  static byte[] query(int qpn) {
    return View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
        .set(QueryQpIn.QPN, qpn)
        .bytes();
  }

  /** Reads the answer to QUERY_QP. */
  static QueuePairAttributes attributes(byte[] output) {
    View qpc = View.over(output).at(QueryQpOut.QPC);
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    int mtu = qpc.getInt(Qpc.MTU);
    return new QueuePairAttributes(
        QueuePairState.of(qpc.getInt(Qpc.STATE)),
        access(qpc),
        mtu == 0 ? 0 : PathMtu.bytes(mtu),
        Gid.of(path.getBytes(Ads.RGID_RIP)),
        path.getInt(Ads.RLID),
        qpc.getInt(Qpc.REMOTE_QPN),
        qpc.getInt(Qpc.NEXT_SEND_PSN),
        qpc.getInt(Qpc.NEXT_RCV_PSN),
        1 << qpc.getInt(Qpc.LOG_SRA_MAX),
        1 << qpc.getInt(Qpc.LOG_RRA_MAX),
        qpc.getInt(Qpc.MIN_RNR_NAK),
        path.getInt(Ads.ACK_TIMEOUT),
        qpc.getInt(Qpc.RETRY_COUNT),
        qpc.getInt(Qpc.RNR_RETRY));
  }

  private static Set<Access> access(View qpc) {
    Set<Access> access = EnumSet.noneOf(Access.class);
    if (qpc.isSet(Qpc.RRE)) {
      access.add(Access.REMOTE_READ);
    }
    if (qpc.isSet(Qpc.RWE)) {
      access.add(Access.REMOTE_WRITE);
    }
    if (qpc.isSet(Qpc.RAE)) {
      access.add(Access.REMOTE_ATOMIC);
    }
    return access;
  }
}
