package dev.bluebell.verbs.command;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.value.Sizes;

/**
 * The commands that take a queue pair through a connection: functions from values to command bytes.
 * Masks of optional parameters are {@code linux qp.h: MLX5_QP_OPTPAR_*}.
 */
public final class ConnectionCommands {
  private ConnectionCommands() {}

  /** RST2INIT_QP. */
  public static byte[] resetToInit(int qpn, LocalAddress address, PeerRights access) {
    View command = resetToInit(qpn, address);
    access.writeTo(command.at(Rst2initQpIn.QPC));
    return command.bytes();
  }

  /** RST2INIT_QP without the fields that are specific to a service. */
  static View resetToInit(int qpn, LocalAddress address) {
    View command =
        View.command(Rst2initQpIn.STRUCTURE, CommandOpcode.RST2INIT_QP).set(Rst2initQpIn.QPN, qpn);
    command
        .at(Rst2initQpIn.QPC)
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.VHCA_PORT_NUM, address.port())
        .set(Ads.PKEY_INDEX, address.pkeyIndex());
    return command;
  }

  /**
   * INIT2INIT_QP with other access flags.
   *
   * @param rights mask of the rights that exist in the service
   */
  public static byte[] initToInit(int qpn, int rights, PeerRights access) {
    View command =
        View.command(Init2initQpIn.STRUCTURE, CommandOpcode.INIT2INIT_QP)
            .set(Init2initQpIn.QPN, qpn)
            .set(Init2initQpIn.OPT_PARAM_MASK, rights);
    access.writeTo(command.at(Init2initQpIn.QPC));
    return command.bytes();
  }

  /** INIT2INIT_QP that allows memory copies. */
  public static byte[] initToInitWithCopies(int qpn) {
    // The extended context follows the structure.
    View command =
        View.over(new byte[Init2initQpIn.STRUCTURE.bytes() + QpcExt.STRUCTURE.bytes()])
            .set(CmdIn.OPCODE, CommandOpcode.INIT2INIT_QP)
            .set(Init2initQpIn.QPN, qpn)
            .set(Init2initQpIn.QPC_EXT, true)
            .set(Init2initQpIn.OPT_PARAM_MASK_95_32, QpcExt.OPT_MASK_MMO);
    command.at(Init2initQpIn.QPC_DATA_EXT).set(QpcExt.MMO, true);
    return command.bytes();
  }

  /**
   * INIT2RTR_QP.
   *
   * @param access rights of the peer, which may differ from the settings by now
   * @param options with the path MTU that both ports take
   */
  public static byte[] initToRtr(
      int qpn,
      ConnectionSettings settings,
      PeerRights access,
      QueuePairEndpoint remote,
      Route route,
      ConnectOptions options) {
    View command =
        View.command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP)
            .set(Init2rtrQpIn.QPN, qpn)
            .set(Init2rtrQpIn.OPT_PARAM_MASK, settings.rights());
    View qpc = command.at(Init2rtrQpIn.QPC);
    qpc.set(Qpc.MTU, PathMtu.code(options.pathMtu()))
        .set(Qpc.LOG_MSG_MAX, QueuePairCommands.LOG_MSG_MAX)
        .set(Qpc.REMOTE_QPN, remote.qpn())
        .set(Qpc.NEXT_RCV_PSN, remote.psn());
    access.writeTo(qpc);
    View path =
        qpc.at(Qpc.PRIMARY_ADDRESS_PATH)
            .set(Ads.VHCA_PORT_NUM, settings.address().port())
            .set(Ads.PKEY_INDEX, settings.address().pkeyIndex());
    route.writeTo(path, options);
    if (settings.isReliable()) {
      qpc.set(Qpc.LOG_RRA_MAX, Sizes.log2Ceiling(settings.responderResources()))
          .set(Qpc.MIN_RNR_NAK, options.minRnrTimer())
          .at(Qpc.PRIMARY_ADDRESS_PATH)
          .set(Ads.ACK_TIMEOUT, options.timeout());
    }
    if (settings.outOfOrder()) {
      // 2 in two bits: all operations.
      qpc.set(Qpc.DP_ORDERING_1, true).set(Qpc.DP_ORDERING_FORCE, true);
    }
    return command.bytes();
  }

  /** RTR2RTS_QP of an unreliable service. */
  public static byte[] rtrToRts(int qpn, int psn) {
    View command =
        View.command(Rtr2rtsQpIn.STRUCTURE, CommandOpcode.RTR2RTS_QP).set(Rtr2rtsQpIn.QPN, qpn);
    command.at(Rtr2rtsQpIn.QPC).set(Qpc.NEXT_SEND_PSN, psn);
    return command.bytes();
  }

  /**
   * RTR2RTS_QP of a reliable connection.
   *
   * @param psn sequence number of the first request packet
   * @param maxReads READs and atomics that may be outstanding, at least 1
   */
  public static byte[] rtrToRts(int qpn, int psn, int maxReads, ConnectOptions options) {
    View command = View.over(rtrToRts(qpn, psn));
    command
        .at(Rtr2rtsQpIn.QPC)
        .set(Qpc.LOG_ACK_REQ_FREQ, QueuePairCommands.LOG_ACK_REQ_FREQ)
        .set(Qpc.LOG_SRA_MAX, Sizes.log2Floor(maxReads))
        .set(Qpc.RETRY_COUNT, options.retryCount())
        .set(Qpc.RNR_RETRY, options.rnrRetry())
        .at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.ACK_TIMEOUT, options.timeout());
    return command.bytes();
  }

  /**
   * RTS2RTS_QP with other access flags.
   *
   * @param rights mask of the rights that exist in the service
   */
  public static byte[] rtsToRts(int qpn, int rights, PeerRights access) {
    View command = rtsToRts(qpn, rights);
    access.writeTo(command.at(Rts2rtsQpIn.QPC));
    return command.bytes();
  }

  /** RTS2RTS_QP with another RNR timer. */
  public static byte[] rtsToRtsWithTimer(int qpn, int minRnrTimer) {
    View command = rtsToRts(qpn, QpOptionalParameter.RNR_TIMEOUT);
    command.at(Rts2rtsQpIn.QPC).set(Qpc.MIN_RNR_NAK, minRnrTimer);
    return command.bytes();
  }

  /**
   * RTS2RTS_QP without the changed fields.
   *
   * @param mask of the optional parameters that change
   */
  static View rtsToRts(int qpn, int mask) {
    return View.command(Rts2rtsQpIn.STRUCTURE, CommandOpcode.RTS2RTS_QP)
        .set(Rts2rtsQpIn.QPN, qpn)
        .set(Rts2rtsQpIn.OPT_PARAM_MASK, mask);
  }
}
