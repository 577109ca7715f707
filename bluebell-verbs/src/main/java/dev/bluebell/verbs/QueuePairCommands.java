package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.command.Ads;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CreateQpIn;
import dev.bluebell.hca.command.Init2initQpIn;
import dev.bluebell.hca.command.Init2rtrQpIn;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.Qp2ErrIn;
import dev.bluebell.hca.command.Qp2rstIn;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.QueryQpIn;
import dev.bluebell.hca.command.QueryQpOut;
import dev.bluebell.hca.command.Rst2initQpIn;
import dev.bluebell.hca.command.Rtr2rtsQpIn;
import dev.bluebell.hca.command.Rts2rtsQpIn;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.EnumSet;
import java.util.Set;

/**
 * The commands that create a reliable-connection queue pair and move it through its states:
 * functions from values to command bytes and back.
 */
final class QueuePairCommands {
  private static final int LOG_MSG_MAX = 30;
  private static final int LOG_ACK_REQ_FREQ = 8;

  private QueuePairCommands() {}

  /**
   * CREATE_QP. The receive queue comes first in the memory, the send queue right behind it.
   *
   * @param pd number of the protection domain
   * @param uarPage page of the doorbell register
   * @param userIndex what completions shall carry
   */
  static byte[] create(
      int pd,
      QueuePairShape shape,
      QueueMemory memory,
      DoorbellRecordPool.Record record,
      int uarPage,
      int userIndex,
      int sendCqn,
      int receiveCqn) {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command.set(CreateQpIn.WQ_UMEM_ID, memory.umem().number()).set(CreateQpIn.WQ_UMEM_VALID, true);
    View qpc = command.at(CreateQpIn.QPC);
    qpc.set(Qpc.ST, ServiceType.RC.code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, pd)
        .set(Qpc.LOG_MSG_MAX, LOG_MSG_MAX)
        .set(Qpc.LOG_SQ_SIZE, shape.logSendWqebbs())
        .set(Qpc.RLKY, true)
        .set(Qpc.FRE, true)
        .set(Qpc.UAR_PAGE, uarPage)
        .set(Qpc.USER_INDEX, userIndex)
        .set(Qpc.CQN_SND, sendCqn)
        .set(Qpc.CQN_RCV, receiveCqn)
        .set(Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQ_FREQ)
        .set(Qpc.DBR_UMEM_ID, record.umem())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, record.offset());
    if (shape.hasReceiveQueue()) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_REGULAR)
          .set(Qpc.LOG_RQ_SIZE, shape.logReceives())
          .set(Qpc.LOG_RQ_STRIDE, shape.logReceiveStride() - Qpc.LOG_RQ_STRIDE_OF_0);
    } else {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_NONE);
    }
    return command.bytes();
  }

  /** RST2INIT_QP. */
  static byte[] resetToInit(int qpn, int port, int pkeyIndex, Set<Access> access) {
    View command =
        View.command(Rst2initQpIn.STRUCTURE, CommandOpcode.RST2INIT_QP).set(Rst2initQpIn.QPN, qpn);
    View qpc = command.at(Rst2initQpIn.QPC);
    qpc.set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED);
    setAccess(qpc, access);
    qpc.at(Qpc.PRIMARY_ADDRESS_PATH).set(Ads.VHCA_PORT_NUM, port).set(Ads.PKEY_INDEX, pkeyIndex);
    return command.bytes();
  }

  /** INIT2INIT_QP with other access flags. */
  static byte[] initToInit(int qpn, Set<Access> access) {
    View command =
        View.command(Init2initQpIn.STRUCTURE, CommandOpcode.INIT2INIT_QP)
            .set(Init2initQpIn.QPN, qpn)
            .set(Init2initQpIn.OPT_PARAM_MASK, QpOptionalParameter.RIGHTS);
    setAccess(command.at(Init2initQpIn.QPC), access);
    return command.bytes();
  }

  /**
   * INIT2RTR_QP.
   *
   * @param gidIndex entry of the port's GID table that is the own address
   * @param responderResources READs and atomics to serve at a time, at least 1
   */
  static byte[] initToRtr(
      int qpn,
      int port,
      int pkeyIndex,
      int gidIndex,
      Set<Access> access,
      int responderResources,
      QueuePairEndpoint remote,
      HcaPath path,
      int mtu,
      ConnectOptions options) {
    View command =
        View.command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP)
            .set(Init2rtrQpIn.QPN, qpn)
            .set(Init2rtrQpIn.OPT_PARAM_MASK, QpOptionalParameter.RIGHTS);
    View qpc = command.at(Init2rtrQpIn.QPC);
    qpc.set(Qpc.MTU, PathMtu.code(mtu))
        .set(Qpc.LOG_MSG_MAX, LOG_MSG_MAX)
        .set(Qpc.REMOTE_QPN, remote.qpn())
        .set(Qpc.NEXT_RCV_PSN, remote.psn())
        .set(Qpc.LOG_RRA_MAX, Sizes.log2Ceiling(responderResources))
        .set(Qpc.MIN_RNR_NAK, options.minRnrTimer());
    setAccess(qpc, access);
    setPath(qpc, port, pkeyIndex, gidIndex, remote.gid(), path, options);
    return command.bytes();
  }

  private static void setPath(
      View qpc,
      int port,
      int pkeyIndex,
      int gidIndex,
      Gid remote,
      HcaPath path,
      ConnectOptions options) {
    qpc.at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.VHCA_PORT_NUM, port)
        .set(Ads.PKEY_INDEX, pkeyIndex)
        .set(Ads.SRC_ADDR_INDEX, gidIndex)
        .setBytes(Ads.RGID_RIP, remote.bytes())
        .set(Ads.RMAC_47_32, path.mac() >>> 32)
        .set(Ads.RMAC_31_0, path.mac() & 0xffffffffL)
        .set(Ads.HOP_LIMIT, path.hopLimit())
        .set(Ads.UDP_SPORT, path.udpSourcePort())
        .set(Ads.TCLASS, options.trafficClass())
        .set(Ads.DSCP, options.trafficClass() >>> 2)
        .set(Ads.ETH_PRIO, options.serviceLevel())
        .set(Ads.ACK_TIMEOUT, options.timeout());
  }

  /**
   * RTR2RTS_QP.
   *
   * @param psn sequence number of the first request packet
   * @param maxReads READs and atomics that may be outstanding, at least 1
   */
  static byte[] rtrToRts(int qpn, int psn, int maxReads, ConnectOptions options) {
    View command =
        View.command(Rtr2rtsQpIn.STRUCTURE, CommandOpcode.RTR2RTS_QP).set(Rtr2rtsQpIn.QPN, qpn);
    View qpc = command.at(Rtr2rtsQpIn.QPC);
    qpc.set(Qpc.NEXT_SEND_PSN, psn)
        .set(Qpc.LOG_ACK_REQ_FREQ, LOG_ACK_REQ_FREQ)
        .set(Qpc.LOG_SRA_MAX, Sizes.log2Floor(maxReads))
        .set(Qpc.RETRY_COUNT, options.retryCount())
        .set(Qpc.RNR_RETRY, options.rnrRetry())
        .at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.ACK_TIMEOUT, options.timeout());
    return command.bytes();
  }

  /** RTS2RTS_QP with other access flags. */
  static byte[] rtsToRts(int qpn, Set<Access> access) {
    View command = rtsToRts(qpn, QpOptionalParameter.RIGHTS);
    setAccess(command.at(Rts2rtsQpIn.QPC), access);
    return command.bytes();
  }

  /** RTS2RTS_QP with another RNR timer. */
  static byte[] rtsToRtsWithTimer(int qpn, int minRnrTimer) {
    View command = rtsToRts(qpn, QpOptionalParameter.RNR_TIMEOUT);
    command.at(Rts2rtsQpIn.QPC).set(Qpc.MIN_RNR_NAK, minRnrTimer);
    return command.bytes();
  }

  private static View rtsToRts(int qpn, int mask) {
    return View.command(Rts2rtsQpIn.STRUCTURE, CommandOpcode.RTS2RTS_QP)
        .set(Rts2rtsQpIn.QPN, qpn)
        .set(Rts2rtsQpIn.OPT_PARAM_MASK, mask);
  }

  /** 2ERR_QP. */
  static byte[] toError(int qpn) {
    return View.command(Qp2ErrIn.STRUCTURE, CommandOpcode.QP_2ERR).set(Qp2ErrIn.QPN, qpn).bytes();
  }

  /** 2RST_QP. */
  static byte[] toReset(int qpn) {
    return View.command(Qp2rstIn.STRUCTURE, CommandOpcode.QP_2RST).set(Qp2rstIn.QPN, qpn).bytes();
  }

  /** QUERY_QP. */
  static byte[] query(int qpn) {
    return View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
        .set(QueryQpIn.QPN, qpn)
        .bytes();
  }

  /** What a QUERY_QP answered. */
  static QueuePairAttributes attributes(byte[] output) {
    View qpc = View.over(output).at(QueryQpOut.QPC);
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    int mtu = qpc.getInt(Qpc.MTU);
    return new QueuePairAttributes(
        QueuePairState.of(qpc.getInt(Qpc.STATE)),
        access(qpc),
        mtu == 0 ? 0 : PathMtu.bytes(mtu),
        Gid.of(path.getBytes(Ads.RGID_RIP)),
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

  private static void setAccess(View qpc, Set<Access> access) {
    boolean atomic = access.contains(Access.REMOTE_ATOMIC);
    qpc.set(Qpc.RRE, access.contains(Access.REMOTE_READ))
        .set(Qpc.RWE, access.contains(Access.REMOTE_WRITE))
        .set(Qpc.RAE, atomic)
        .set(Qpc.ATOMIC_MODE, atomic ? Qpc.ATOMIC_MODE_IB_SPEC : 0);
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
