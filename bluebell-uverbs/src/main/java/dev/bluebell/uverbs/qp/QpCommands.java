package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.command.Ads;
import dev.bluebell.hca.command.AtomicCaps;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CreateQpIn;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.QueryQpIn;
import dev.bluebell.hca.command.QueryQpOut;
import dev.bluebell.hca.command.Rst2initQpIn;
import dev.bluebell.hca.command.View;
import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.structure.ModifyQp;
import dev.bluebell.uverbs.abi.structure.QpDest;
import dev.bluebell.uverbs.abi.structure.QueryQpResp;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.xrc.XrcDomain;
import java.util.OptionalInt;

/**
 * The commands that create a queue pair, change and query it. Mirrors {@code mlx5_ib qp.c:
 * create_user_qp, __mlx5_ib_modify_qp, query_qp_attr}.
 */
final class QpCommands {
  private static final int LOG_MSG_MAX = 30;
  private static final int LOG_DATAGRAM_MAX = 12;
  private static final int LOG_ACK_REQ_FREQ = 8;
  private static final int LOG_MAX_READS = 4;

  /** Sizes of atomics up to 256 bytes, as bits. */
  private static final int LARGEST_ATOMICS = 0x1ff;

  /** {@code mlx5_ib.h: MLX5_IB_DEFAULT_UIDX}. */
  private static final int NO_USER_INDEX = 0xffffff;

  private QpCommands() {}

  /**
   * The places of the queues of a QP, and their sizes.
   *
   * @param sends WQEBBs of the send queue; 0 for none
   * @param pool the number of the shared queue that receives come from; there are no others then
   * @param matchesTags whether that is a tag-matching queue
   */
  record Shape(
      SharedRanges.Place rings,
      SharedRanges.Place record,
      int sends,
      int receives,
      int logReceiveStride,
      OptionalInt pool,
      boolean matchesTags) {}

  static byte[] create(
      QpType type,
      Shape shape,
      int pd,
      int uarPage,
      int userIndex,
      int sendCqn,
      int receiveCqn,
      ScatterToCqe scatter) {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .set(CreateQpIn.WQ_UMEM_ID, shape.rings().umem())
        .set(CreateQpIn.WQ_UMEM_OFFSET, shape.rings().offset())
        .set(CreateQpIn.WQ_UMEM_VALID, true);
    View qpc = command.at(CreateQpIn.QPC);
    qpc.set(Qpc.ST, type.service().code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, pd)
        .set(Qpc.LOG_MSG_MAX, LOG_MSG_MAX)
        .set(Qpc.RLKY, true)
        .set(Qpc.FRE, true)
        .set(Qpc.UAR_PAGE, uarPage)
        .set(Qpc.USER_INDEX, userIndex)
        .set(Qpc.CQN_SND, sendCqn)
        .set(Qpc.CQN_RCV, receiveCqn)
        .set(Qpc.CS_REQ, scatter.answers())
        .set(Qpc.CS_RES, scatter.messages())
        .set(Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQ_FREQ)
        .set(Qpc.DBR_UMEM_ID, shape.record().umem())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, shape.record().offset());
    if (shape.sends() == 0) {
      qpc.set(Qpc.NO_SQ, true)
          .set(Qpc.OFFLOAD_TYPE, shape.matchesTags() ? Qpc.OFFLOAD_TYPE_RNDV : 0);
    } else {
      qpc.set(Qpc.LOG_SQ_SIZE, log2(shape.sends()));
    }
    if (type == QpType.XRC_INI) {
      // Linux names a domain and an SRQ of its own here, so that no message finds its SRQ either.
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED);
    } else if (shape.pool().isPresent()) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED).set(Qpc.SRQN_RMPN_XRQN, shape.pool().getAsInt());
    } else if (shape.receives() == 0) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_NONE);
    } else {
      qpc.set(Qpc.LOG_RQ_SIZE, log2(shape.receives()))
          .set(Qpc.LOG_RQ_STRIDE, shape.logReceiveStride() - Qpc.LOG_RQ_STRIDE_OF_0);
    }
    return command.bytes();
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

  /**
   * A transition. All transition commands have one layout.
   *
   * @param rights access flags that the queue pair has after it
   * @param reads READs and atomics that it answers at a time after it
   */
  static byte[] modify(
      Hca hca,
      int qpn,
      QpType type,
      int opcode,
      QpAttributes given,
      int port,
      int rights,
      int reads) {
    View command =
        View.command(Rst2initQpIn.STRUCTURE, opcode)
            .set(Rst2initQpIn.QPN, qpn)
            .set(Rst2initQpIn.OPT_PARAM_MASK, optional(type, given));
    View qpc = command.at(Rst2initQpIn.QPC);
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    // Without resources to answer them, the rights to READ and atomics are none.
    int granted = reads == 0 ? rights & HcaAccess.REMOTE_WRITE : rights;
    qpc.set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.LOG_MSG_MAX, LOG_MSG_MAX)
        .set(Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQ_FREQ)
        .set(Qpc.RRE, (granted & HcaAccess.REMOTE_READ) != 0)
        .set(Qpc.RWE, (granted & HcaAccess.REMOTE_WRITE) != 0)
        .set(Qpc.RAE, (granted & HcaAccess.REMOTE_ATOMIC) != 0)
        .set(Qpc.ATOMIC_MODE, (granted & HcaAccess.REMOTE_ATOMIC) != 0 ? atomicMode(hca) : 0)
        .set(Qpc.LOG_RRA_MAX, reads == 0 ? 0 : log2(reads - 1) + (reads == 1 ? 0 : 1));
    path.set(Ads.VHCA_PORT_NUM, port);
    if (given.has(QpAttributes.PKEY_INDEX)) {
      path.set(Ads.PKEY_INDEX, given.getInt(ModifyQp.PKEY_INDEX));
    }
    if (given.has(QpAttributes.AV)) {
      setPath(hca, path, port, given.destination());
    }
    if (type == QpType.UD) {
      // As the kernel does, for every MTU of the port.
      qpc.set(Qpc.MTU, PathMtu.LARGEST).set(Qpc.LOG_MSG_MAX, LOG_DATAGRAM_MAX);
    }
    if (given.has(QpAttributes.QKEY)) {
      qpc.set(Qpc.Q_KEY, given.getInt(ModifyQp.QKEY));
    }
    if (given.has(QpAttributes.PATH_MTU)) {
      qpc.set(Qpc.MTU, given.getInt(ModifyQp.PATH_MTU));
    }
    if (given.has(QpAttributes.DEST_QPN)) {
      qpc.set(Qpc.REMOTE_QPN, given.getInt(ModifyQp.DEST_QP_NUM) & 0xffffff);
    }
    if (given.has(QpAttributes.RQ_PSN)) {
      qpc.set(Qpc.NEXT_RCV_PSN, given.getInt(ModifyQp.RQ_PSN) & 0xffffff);
    }
    if (given.has(QpAttributes.SQ_PSN)) {
      qpc.set(Qpc.NEXT_SEND_PSN, given.getInt(ModifyQp.SQ_PSN) & 0xffffff);
    }
    if (given.has(QpAttributes.MIN_RNR_TIMER)) {
      qpc.set(Qpc.MIN_RNR_NAK, given.getInt(ModifyQp.MIN_RNR_TIMER) & 0x1f);
    }
    if (given.has(QpAttributes.TIMEOUT)) {
      path.set(Ads.ACK_TIMEOUT, given.getInt(ModifyQp.TIMEOUT) & 0x1f);
    }
    if (given.has(QpAttributes.RETRY_CNT)) {
      qpc.set(Qpc.RETRY_COUNT, given.getInt(ModifyQp.RETRY_CNT) & 7);
    }
    if (given.has(QpAttributes.RNR_RETRY)) {
      qpc.set(Qpc.RNR_RETRY, given.getInt(ModifyQp.RNR_RETRY) & 7);
    }
    if (given.has(QpAttributes.MAX_QP_RD_ATOMIC) && given.getInt(ModifyQp.MAX_RD_ATOMIC) > 0) {
      qpc.set(Qpc.LOG_SRA_MAX, log2(given.getInt(ModifyQp.MAX_RD_ATOMIC)));
    }
    return command.bytes();
  }

  /** As {@code mlx5_ib qp.c: get_atomic_mode} chooses it. */
  private static int atomicMode(Hca hca) {
    View atomic = Capabilities.atomic(hca);
    int extended = AtomicCaps.EXTENDED_COMPARE_SWAP | AtomicCaps.EXTENDED_FETCH_ADD;
    int logLargest = log2(atomic.getInt(AtomicCaps.ATOMIC_SIZE_QP) & LARGEST_ATOMICS);
    return (atomic.getInt(AtomicCaps.ATOMIC_OPERATIONS) & extended) == 0
        ? Qpc.ATOMIC_MODE_IB_SPEC
        : Math.max(Qpc.ATOMIC_MODE_8B, logLargest);
  }

  private static int optional(QpType type, QpAttributes given) {
    if (type == QpType.UD) {
      return given.has(QpAttributes.QKEY) ? QpOptionalParameter.Q_KEY : 0;
    }
    return QpOptionalParameter.RIGHTS
        | (given.has(QpAttributes.MIN_RNR_TIMER) ? QpOptionalParameter.RNR_TIMEOUT : 0);
  }

  /**
   * Completes the path of a queue pair to itself. libmlx5 connects the queue pair that changes a
   * list of tags by LID alone, which a kernel refuses on Ethernet: there, only programs that
   * connect one by themselves can match tags.
   */
  static void addressSelf(Hca hca, int port, AbiView destination) {
    if (!destination.isSet(QpDest.IS_GLOBAL)) {
      destination
          .set(QpDest.IS_GLOBAL, true)
          .set(QpDest.SGID_INDEX, 0)
          .setBytes(QpDest.DGID, hca.queryGid(port, 0).bytes());
    }
  }

  private static void setPath(Hca hca, View path, int port, AbiView destination) {
    Refusal.require(
        destination.isSet(QpDest.IS_GLOBAL),
        Errno.EINVAL,
        "a path on Ethernet needs is_global and a destination GID");
    int sourceIndex = destination.getInt(QpDest.SGID_INDEX);
    byte[] gid = destination.getBytes(QpDest.DGID);
    int hopLimit = destination.getInt(QpDest.HOP_LIMIT);
    int trafficClass = destination.getInt(QpDest.TRAFFIC_CLASS);
    HcaPath way = hca.resolve(port, sourceIndex, Gid.of(gid));
    path.set(Ads.GRH, true)
        .set(Ads.SRC_ADDR_INDEX, sourceIndex)
        .setBytes(Ads.RGID_RIP, gid)
        .set(Ads.RMAC_47_32, way.mac() >>> 32)
        .set(Ads.RMAC_31_0, way.mac() & 0xffffffffL)
        .set(Ads.HOP_LIMIT, hopLimit == 0 ? way.hopLimit() : hopLimit)
        .set(Ads.UDP_SPORT, way.udpSourcePort())
        .set(Ads.FLOW_LABEL, destination.getInt(QpDest.FLOW_LABEL) & 0xfffff)
        .set(Ads.TCLASS, trafficClass)
        .set(Ads.DSCP, trafficClass >>> 2)
        .set(Ads.ETH_PRIO, destination.getInt(QpDest.SL) & 7);
  }

  /** Refuses more READs and atomics than the device has. */
  static void checkReads(QpAttributes given) {
    int most = 1 << LOG_MAX_READS;
    Refusal.require(
        (!given.has(QpAttributes.MAX_QP_RD_ATOMIC) || given.getInt(ModifyQp.MAX_RD_ATOMIC) <= most)
            && (!given.has(QpAttributes.MAX_DEST_RD_ATOMIC)
                || given.getInt(ModifyQp.MAX_DEST_RD_ATOMIC) <= most),
        Errno.EINVAL,
        "a QP can't have more than %d READs and atomics at a time",
        most);
  }

  static byte[] query(int qpn) {
    return View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
        .set(QueryQpIn.QPN, qpn)
        .bytes();
  }

  /** The attributes in the answer to a query, without those that the device does not know. */
  static AbiView attributes(byte[] output) {
    View qpc = View.over(output).at(QueryQpOut.QPC);
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    int state = state(output);
    int rights =
        (qpc.isSet(Qpc.RRE) ? HcaAccess.REMOTE_READ : 0)
            | (qpc.isSet(Qpc.RWE) ? HcaAccess.REMOTE_WRITE : 0)
            | (qpc.isSet(Qpc.RAE) ? HcaAccess.REMOTE_ATOMIC : 0);
    AbiView attributes = AbiView.of(QueryQpResp.STRUCTURE);
    attributes
        .at(QueryQpResp.DEST)
        .setBytes(QpDest.DGID, path.getBytes(Ads.RGID_RIP))
        .set(QpDest.FLOW_LABEL, path.getInt(Ads.FLOW_LABEL))
        .set(QpDest.SGID_INDEX, path.getInt(Ads.SRC_ADDR_INDEX))
        .set(QpDest.HOP_LIMIT, path.getInt(Ads.HOP_LIMIT))
        .set(QpDest.TRAFFIC_CLASS, path.getInt(Ads.TCLASS))
        .set(QpDest.SL, path.getInt(Ads.ETH_PRIO))
        .set(QpDest.IS_GLOBAL, path.isSet(Ads.GRH))
        .set(QpDest.PORT_NUM, path.getInt(Ads.VHCA_PORT_NUM));
    return attributes
        .set(QueryQpResp.QKEY, qpc.getInt(Qpc.Q_KEY))
        .set(QueryQpResp.RQ_PSN, qpc.getInt(Qpc.NEXT_RCV_PSN))
        .set(QueryQpResp.SQ_PSN, qpc.getInt(Qpc.NEXT_SEND_PSN))
        .set(QueryQpResp.DEST_QP_NUM, qpc.getInt(Qpc.REMOTE_QPN))
        .set(QueryQpResp.QP_ACCESS_FLAGS, rights)
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

  /** The state in a queried context, as programs number them. */
  static int state(byte[] output) {
    // mlx5 and verbs number SQER and SQD the other way round.
    int state = View.over(output).at(QueryQpOut.QPC).getInt(Qpc.STATE);
    return switch (state) {
      case QpState.SQER -> QpTransitions.SQE;
      case QpState.SQD -> QpTransitions.SQD;
      default -> state;
    };
  }

  /** Logarithm, rounded down; 0 for 0. */
  static int log2(int value) {
    return value == 0 ? 0 : 31 - Integer.numberOfLeadingZeros(value);
  }
}
