package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.port.Port;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A transition of the queue pair state machine: the states that it leads from and to, and the
 * attributes that it sets, which depend on the service. All transition commands have the same
 * layout.
 *
 * @param required fields of the QP context that the command always sets
 * @param path fields of the primary address path that the command always sets
 */
record QpTransition(Set<Integer> from, int to, List<Field> required, List<Field> path) {
  static final Field QPN = Rst2initQpIn.QPN;
  static final Field OPT_PARAM_MASK = Rst2initQpIn.OPT_PARAM_MASK;
  static final Area CONTEXT = Rst2initQpIn.QPC;

  private static final Set<Integer> ANY =
      Set.of(
          QpState.RST,
          QpState.INIT,
          QpState.RTR,
          QpState.RTS,
          QpState.SQER,
          QpState.SQD,
          QpState.ERR);
  private static final List<Field> RIGHTS = List.of(Qpc.RRE, Qpc.RWE, Qpc.RAE, Qpc.ATOMIC_MODE);

  private static final List<Field> PORT = List.of(Ads.PKEY_INDEX, Ads.VHCA_PORT_NUM);
  private static final List<Field> ROUTE =
      List.of(
          Ads.SRC_ADDR_INDEX,
          Ads.HOP_LIMIT,
          Ads.TCLASS,
          Ads.FLOW_LABEL,
          Ads.UDP_SPORT,
          Ads.RMAC_47_32,
          Ads.RMAC_31_0,
          Ads.GRH,
          Ads.MLID,
          Ads.RLID,
          Ads.SL,
          Ads.STAT_RATE);

  private static final QpTransition RST_TO_INIT =
      new QpTransition(Set.of(QpState.RST), QpState.INIT, RIGHTS, PORT);
  private static final QpTransition RST_TO_INIT_UD =
      new QpTransition(Set.of(QpState.RST), QpState.INIT, List.of(Qpc.Q_KEY), PORT);
  private static final QpTransition INIT_TO_INIT =
      new QpTransition(Set.of(QpState.INIT), QpState.INIT, List.of(), List.of());
  private static final QpTransition INIT_TO_RTR =
      new QpTransition(
          Set.of(QpState.INIT),
          QpState.RTR,
          List.of(
              Qpc.MTU,
              Qpc.LOG_MSG_MAX,
              Qpc.REMOTE_QPN,
              Qpc.NEXT_RCV_PSN,
              Qpc.LOG_RRA_MAX,
              Qpc.MIN_RNR_NAK,
              Qpc.DP_ORDERING_0,
              Qpc.DP_ORDERING_1,
              Qpc.DP_ORDERING_FORCE),
          ROUTE);
  private static final QpTransition INIT_TO_RTR_UC =
      new QpTransition(
          Set.of(QpState.INIT),
          QpState.RTR,
          List.of(Qpc.MTU, Qpc.LOG_MSG_MAX, Qpc.REMOTE_QPN, Qpc.NEXT_RCV_PSN),
          ROUTE);
  private static final QpTransition INIT_TO_RTR_UD =
      new QpTransition(
          Set.of(QpState.INIT), QpState.RTR, List.of(Qpc.MTU, Qpc.LOG_MSG_MAX), List.of());
  private static final QpTransition RTR_TO_RTS =
      new QpTransition(
          Set.of(QpState.RTR),
          QpState.RTS,
          List.of(
              Qpc.NEXT_SEND_PSN,
              Qpc.LOG_SRA_MAX,
              Qpc.RETRY_COUNT,
              Qpc.RNR_RETRY,
              Qpc.LOG_ACK_REQ_FREQ),
          List.of(Ads.ACK_TIMEOUT));
  private static final QpTransition RTR_TO_RTS_UNRELIABLE =
      new QpTransition(Set.of(QpState.RTR), QpState.RTS, List.of(Qpc.NEXT_SEND_PSN), List.of());
  private static final QpTransition RST_TO_INIT_DCI =
      new QpTransition(Set.of(QpState.RST), QpState.INIT, List.of(), PORT);
  private static final QpTransition INIT_TO_RTR_DCI =
      new QpTransition(
          Set.of(QpState.INIT),
          QpState.RTR,
          List.of(
              Qpc.MTU,
              Qpc.LOG_MSG_MAX,
              Qpc.DP_ORDERING_0,
              Qpc.DP_ORDERING_1,
              Qpc.DP_ORDERING_FORCE),
          List.of());
  private static final QpTransition RTS_TO_RTS =
      new QpTransition(Set.of(QpState.RTS), QpState.RTS, List.of(), List.of());
  private static final QpTransition SQD_TO_RTS =
      new QpTransition(Set.of(QpState.SQD), QpState.RTS, List.of(), List.of());
  private static final QpTransition SQER_TO_RTS =
      new QpTransition(Set.of(QpState.SQER), QpState.RTS, List.of(), List.of());
  private static final QpTransition TO_ERR =
      new QpTransition(ANY, QpState.ERR, List.of(), List.of());
  private static final QpTransition TO_RST =
      new QpTransition(ANY, QpState.RST, List.of(), List.of());

  static QpTransition of(int opcode, ServiceType service) {
    boolean datagram = service == ServiceType.UD;
    boolean initiator = service == ServiceType.DCI;
    return switch (opcode) {
      case CommandOpcode.RST2INIT_QP ->
          datagram ? RST_TO_INIT_UD : initiator ? RST_TO_INIT_DCI : RST_TO_INIT;
      case CommandOpcode.INIT2INIT_QP -> INIT_TO_INIT;
      case CommandOpcode.INIT2RTR_QP ->
          datagram
              ? INIT_TO_RTR_UD
              : initiator
                  ? INIT_TO_RTR_DCI
                  : service == ServiceType.UC ? INIT_TO_RTR_UC : INIT_TO_RTR;
      case CommandOpcode.RTR2RTS_QP ->
          datagram || service == ServiceType.UC ? RTR_TO_RTS_UNRELIABLE : RTR_TO_RTS;
      case CommandOpcode.RTS2RTS_QP -> RTS_TO_RTS;
      case CommandOpcode.SQD2RTS_QP -> SQD_TO_RTS;
      case CommandOpcode.SQERR2RTS_QP -> SQER_TO_RTS;
      case CommandOpcode.QP_2ERR -> TO_ERR;
      case CommandOpcode.QP_2RST -> TO_RST;
      default ->
          throw new IllegalArgumentException(CommandOpcode.name(opcode) + " is not a transition");
    };
  }

  String fromNames() {
    return from.stream().sorted().map(QpState::name).collect(Collectors.joining(" or "));
  }

  /** Refuses attributes that the device does not support. */
  void check(View given, int mask, Port port) {
    View address = given.at(Qpc.PRIMARY_ADDRESS_PATH);
    if (to == QpState.INIT && !path.isEmpty()) {
      int number = address.getInt(Ads.VHCA_PORT_NUM);
      requireValid(number == Port.NUMBER, "vhca_port_num %d: this device has port 1 only", number);
    }
    if (to == QpState.INIT && !path.isEmpty() || (mask & QpOptionalParameter.PKEY_INDEX) != 0) {
      checkPartition(address.getInt(Ads.PKEY_INDEX), port);
    }
    if (required.contains(Qpc.LOG_MSG_MAX)) {
      int logMessage = given.getInt(Qpc.LOG_MSG_MAX);
      requireValid(
          logMessage <= Limits.LOG_MAX_MESSAGE,
          "log_msg_max %d is larger than the device supports, %d",
          logMessage,
          Limits.LOG_MAX_MESSAGE);
    }
    if (to == QpState.RTR) {
      int mtu = given.getInt(Qpc.MTU);
      // For datagrams, kernels write the largest MTU.
      checkMtu(mtu, equals(INIT_TO_RTR_UD) ? PathMtu.LARGEST : port.mtuCode());
    }
    if (path.contains(Ads.SRC_ADDR_INDEX)) {
      String why = port.whyNotOf(address);
      requireValid(why.isEmpty(), "%s", why);
    }
    checkReads(given, Qpc.LOG_RRA_MAX, CmdHcaCap.LOG_MAX_RA_RES_QP);
    if (required.contains(Qpc.DP_ORDERING_0)) {
      checkOrder(given.isSet(Qpc.DP_ORDERING_0), given.isSet(Qpc.DP_ORDERING_1));
    }
    checkReads(given, Qpc.LOG_SRA_MAX, CmdHcaCap.LOG_MAX_RA_REQ_QP);
  }

  private void checkReads(View given, Field field, Field capability) {
    requireValid(
        !required.contains(field) || given.getInt(field) <= Limits.LOG_MAX_READS,
        "%s %d is larger than %s %d",
        field.name(),
        given.getInt(field),
        capability.name(),
        Limits.LOG_MAX_READS);
  }

  /** Refuses an index that is not in the table of partition keys. */
  static void checkPartition(int index, Port port) {
    requireValid(
        index < port.partitionKeys(),
        "pkey_index %d: the partition key table has %d entries",
        index,
        port.partitionKeys());
  }

  /** Refuses an MTU that does not exist, or that the link does not carry. */
  static void checkMtu(int mtu, int largest) {
    requireValid(
        mtu >= PathMtu.SMALLEST && mtu <= PathMtu.LARGEST,
        "mtu %d is not valid: it must be 1 (256 bytes) to 5 (4096 bytes)",
        mtu);
    requireValid(
        mtu <= largest,
        "mtu %d is %d bytes, but the link carries packets of at most %d (active_mtu of the port)",
        mtu,
        PathMtu.bytes(mtu),
        PathMtu.bytes(largest));
  }

  /** Refuses the one invalid value of dp_ordering. */
  static void checkOrder(boolean writes, boolean all) {
    requireValid(
        !writes || !all,
        "dp_ordering_0 and dp_ordering_1 are both 1: dp_ordering must be 0 (the specified order), 1"
            + " (READs and WRITEs out of order) or 2 (all out of order)");
  }

  /**
   * Copies the fields that the command always sets, and those that its mask selects, into the queue
   * pair's context.
   */
  void apply(View given, int mask, View context) {
    required.forEach(field -> context.set(field, given.get(field)));
    View from = given.at(Qpc.PRIMARY_ADDRESS_PATH);
    View into = context.at(Qpc.PRIMARY_ADDRESS_PATH);
    path.forEach(field -> into.set(field, from.get(field)));
    if (path.contains(Ads.SRC_ADDR_INDEX)) {
      into.setBytes(Ads.RGID_RIP, from.getBytes(Ads.RGID_RIP));
    }
    if ((mask & QpOptionalParameter.PKEY_INDEX) != 0) {
      into.set(Ads.PKEY_INDEX, from.getInt(Ads.PKEY_INDEX));
    }
    select(mask, QpOptionalParameter.RRE, Qpc.RRE, given, context);
    select(mask, QpOptionalParameter.RWE, Qpc.RWE, given, context);
    select(mask, QpOptionalParameter.RAE, Qpc.RAE, given, context);
    select(mask, QpOptionalParameter.RAE, Qpc.ATOMIC_MODE, given, context);
    select(mask, QpOptionalParameter.Q_KEY, Qpc.Q_KEY, given, context);
    select(mask, QpOptionalParameter.RNR_TIMEOUT, Qpc.MIN_RNR_NAK, given, context);
  }

  /** Names what the command sets for automatic path migration; empty when it sets nothing. */
  static String migration(View given, int mask) {
    if ((mask & QpOptionalParameter.ALT_ADDR_PATH) != 0) {
      return "an alternate path";
    }
    int state = given.getInt(Qpc.PM_STATE);
    return (mask & QpOptionalParameter.PM_STATE) == 0 || state == Qpc.PM_STATE_MIGRATED
        ? ""
        : "pm_state %d (%s)".formatted(state, state == Qpc.PM_STATE_REARM ? "REARM" : "ARMED");
  }

  /**
   * Names the peer's rights that the command sets but the context lacks because the mask does not
   * select them; empty if there are none.
   */
  String ignoredRights(View given, View context) {
    List<String> ignored = new ArrayList<>();
    addIgnored(Qpc.RRE, QpOptionalParameter.RRE, given, context, ignored);
    addIgnored(Qpc.RWE, QpOptionalParameter.RWE, given, context, ignored);
    addIgnored(Qpc.RAE, QpOptionalParameter.RAE, given, context, ignored);
    return String.join(", ", ignored);
  }

  private static void addIgnored(
      Field right, int bit, View given, View context, List<String> ignored) {
    if (given.isSet(right) && !context.isSet(right)) {
      ignored.add("%s (selected by bit 0x%02x of opt_param_mask)".formatted(right.name(), bit));
    }
  }

  private static void select(int mask, int bit, Field field, View given, View context) {
    if ((mask & bit) != 0) {
      context.set(field, given.get(field));
    }
  }
}
