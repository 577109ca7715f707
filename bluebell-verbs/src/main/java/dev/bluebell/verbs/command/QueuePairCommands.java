package dev.bluebell.verbs.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Qp2ErrIn;
import dev.bluebell.hca.command.QpTransitions.Qp2rstIn;
import dev.bluebell.hca.command.QpTransitions.Sqerr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.QueuePairAttributes;
import dev.bluebell.verbs.QueuePairState;
import java.util.EnumSet;
import java.util.Set;

/**
 * The commands that queue pairs of all services share: functions from values to command bytes and
 * back.
 */
public final class QueuePairCommands {
  public static final int LOG_MSG_MAX = 30;
  public static final int LOG_ACK_REQ_FREQ = 8;

  private QueuePairCommands() {}

  /**
   * INIT2RTR_QP of a service whose requests name their destinations.
   *
   * @param mtu largest packet payload in bytes
   * @param logMsgMax binary logarithm of the longest message
   */
  public static byte[] initToRtr(int qpn, int mtu, int logMsgMax) {
    View command =
        View.command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP).set(Init2rtrQpIn.QPN, qpn);
    command.at(Init2rtrQpIn.QPC).set(Qpc.MTU, PathMtu.code(mtu)).set(Qpc.LOG_MSG_MAX, logMsgMax);
    return command.bytes();
  }

  /** 2ERR_QP. */
  public static byte[] toError(int qpn) {
    return View.command(Qp2ErrIn.STRUCTURE, CommandOpcode.QP_2ERR).set(Qp2ErrIn.QPN, qpn).bytes();
  }

  /** 2RST_QP. */
  public static byte[] toReset(int qpn) {
    return View.command(Qp2rstIn.STRUCTURE, CommandOpcode.QP_2RST).set(Qp2rstIn.QPN, qpn).bytes();
  }

  /** SQERR2RTS_QP. */
  public static byte[] restartSendQueue(int qpn) {
    return View.command(Sqerr2rtsQpIn.STRUCTURE, CommandOpcode.SQERR2RTS_QP)
        .set(Sqerr2rtsQpIn.QPN, qpn)
        .bytes();
  }

  /** QUERY_QP. */
  public static byte[] query(int qpn) {
    return View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
        .set(QueryQpIn.QPN, qpn)
        .bytes();
  }

  /** Reads the answer to QUERY_QP. */
  public static QueuePairAttributes attributes(byte[] output) {
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
