package dev.bluebell.uverbs.qp;

import static dev.bluebell.uverbs.qp.QpMask.ACCESS_FLAGS;
import static dev.bluebell.uverbs.qp.QpMask.ALT_PATH;
import static dev.bluebell.uverbs.qp.QpMask.AV;
import static dev.bluebell.uverbs.qp.QpMask.CUR_STATE;
import static dev.bluebell.uverbs.qp.QpMask.DEST_QPN;
import static dev.bluebell.uverbs.qp.QpMask.MAX_DEST_RD_ATOMIC;
import static dev.bluebell.uverbs.qp.QpMask.MAX_QP_RD_ATOMIC;
import static dev.bluebell.uverbs.qp.QpMask.MIN_RNR_TIMER;
import static dev.bluebell.uverbs.qp.QpMask.PATH_MIG_STATE;
import static dev.bluebell.uverbs.qp.QpMask.PATH_MTU;
import static dev.bluebell.uverbs.qp.QpMask.PKEY_INDEX;
import static dev.bluebell.uverbs.qp.QpMask.PORT;
import static dev.bluebell.uverbs.qp.QpMask.QKEY;
import static dev.bluebell.uverbs.qp.QpMask.RETRY_CNT;
import static dev.bluebell.uverbs.qp.QpMask.RNR_RETRY;
import static dev.bluebell.uverbs.qp.QpMask.RQ_PSN;
import static dev.bluebell.uverbs.qp.QpMask.SQ_PSN;
import static dev.bluebell.uverbs.qp.QpMask.STATE;
import static dev.bluebell.uverbs.qp.QpMask.TIMEOUT;
import static dev.bluebell.uverbs.qp.QpStates.ERR;
import static dev.bluebell.uverbs.qp.QpStates.INIT;
import static dev.bluebell.uverbs.qp.QpStates.RESET;
import static dev.bluebell.uverbs.qp.QpStates.RTR;
import static dev.bluebell.uverbs.qp.QpStates.RTS;
import static dev.bluebell.uverbs.qp.QpStates.SQD;
import static dev.bluebell.uverbs.qp.QpStates.SQE;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.uverbs.call.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The transitions that the kernel allows for each type of QP, with their attributes and commands.
 * Mirrors {@code ib_core verbs.c: qp_state_table} and {@code mlx5_ib qp.c: optab,
 * modify_dci_qp_is_ok}.
 */
final class QpTransitions {
  /**
   * A transition.
   *
   * @param opcode of its command; 0 when no command is needed
   * @param required attributes that must be set
   * @param optional attributes that may be set
   */
  record Transition(int opcode, int required, int optional) {}

  private static final int RIGHTS = PKEY_INDEX | PORT | ACCESS_FLAGS;
  private static final int CONNECTED = AV | PATH_MTU | DEST_QPN | RQ_PSN;
  private static final int ANSWERING = CONNECTED | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
  private static final int CONNECTED_TOO = ALT_PATH | ACCESS_FLAGS | PKEY_INDEX;
  private static final int REQUESTING = TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC;
  private static final int RUNNING_WITHOUT_RNR =
      CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE;
  private static final int RUNNING = RUNNING_WITHOUT_RNR | MIN_RNR_TIMER;

  private QpTransitions() {}

  /**
   * The attributes that a type of QP gets on its way to RTS.
   *
   * @param init required for INIT, and optional while in INIT
   * @param rtr required for RTR
   * @param rtrToo optional for RTR
   * @param rts required for RTS from RTR
   * @param running optional for RTS from RTR, RTS and SQD
   * @param recovered optional for RTS from SQE
   */
  private record Attributes(int init, int rtr, int rtrToo, int rts, int running, int recovered) {
    static Attributes of(QpType type) {
      return switch (type) {
        case RC ->
            new Attributes(
                RIGHTS,
                ANSWERING,
                CONNECTED_TOO,
                REQUESTING,
                RUNNING,
                CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER);
        case UC ->
            new Attributes(
                RIGHTS,
                CONNECTED,
                CONNECTED_TOO,
                SQ_PSN,
                RUNNING_WITHOUT_RNR,
                CUR_STATE | ACCESS_FLAGS);
        case UD ->
            new Attributes(
                PKEY_INDEX | PORT | QKEY,
                0,
                PKEY_INDEX | QKEY,
                SQ_PSN,
                CUR_STATE | QKEY,
                CUR_STATE | QKEY);
        case XRC_INI ->
            new Attributes(RIGHTS, CONNECTED, CONNECTED_TOO, REQUESTING, RUNNING_WITHOUT_RNR, 0);
        case XRC_TGT ->
            new Attributes(RIGHTS, ANSWERING, CONNECTED_TOO, TIMEOUT | SQ_PSN, RUNNING, 0);
        case DCI ->
            new Attributes(
                PKEY_INDEX | PORT, PATH_MTU, PKEY_INDEX | AV, REQUESTING, MIN_RNR_TIMER, 0);
      };
    }
  }

  /** Finds the transition for the attributes; throws when the kernel has none. */
  static Transition find(QpType type, int from, int to, QpAttributes attributes) {
    @Nullable Transition found = find(type, from, to);
    int given = attributes.mask();
    if (found == null) {
      throw new Refusal(
          Errno.EINVAL,
          (to == SQD
                  ? "verbs has a state SQD, but neither the mlx5 driver of Linux nor this device"
                      + " lets a QP go from state %s to it; to drain a send queue, wait for the"
                      + " completions of its requests"
                  : "a QP can't go from state %s to %s")
              .formatted(name(from), name(to)));
    }
    int missing = found.required() & ~given;
    Refusal.require(
        missing == 0,
        Errno.EINVAL,
        "a QP of type %s can't go from state %s to %s without %s",
        type,
        name(from),
        name(to),
        QpAttributes.names(missing));
    int surplus = given & ~(found.required() | found.optional() | STATE);
    Refusal.require(
        surplus == 0,
        Errno.EINVAL,
        "a QP of type %s can't be given %s when it goes from state %s to %s",
        type,
        QpAttributes.names(surplus),
        name(from),
        name(to));
    if (attributes.has(CUR_STATE)) {
      int current = attributes.getInt(ModifyQp.CUR_QP_STATE);
      Refusal.require(
          current == RTR || current == RTS || current == SQD || current == SQE,
          Errno.EINVAL,
          "the current state of a QP can't be given as %s",
          name(current));
    }
    return found;
  }

  private static String name(int state) {
    return switch (state) {
      case RESET -> "RESET";
      case INIT -> "INIT";
      case RTR -> "RTR";
      case RTS -> "RTS";
      case SQD -> "SQD";
      case SQE -> "SQE";
      case ERR -> "ERR";
      default -> Integer.toString(state);
    };
  }

  private static @Nullable Transition find(QpType type, int from, int to) {
    if (to == ERR && from != RESET) {
      return new Transition(CommandOpcode.QP_2ERR, 0, 0);
    }
    if (to == RESET) {
      return new Transition(from == RESET ? 0 : CommandOpcode.QP_2RST, 0, 0);
    }
    if (type == QpType.DCI && (from == SQD || from == SQE)) {
      return null;
    }
    Attributes given = Attributes.of(type);
    return switch (from << 8 | to) {
      case RESET << 8 | INIT -> new Transition(CommandOpcode.RST2INIT_QP, given.init, 0);
      case INIT << 8 | INIT -> new Transition(CommandOpcode.INIT2INIT_QP, 0, given.init);
      case INIT << 8 | RTR -> new Transition(CommandOpcode.INIT2RTR_QP, given.rtr, given.rtrToo);
      case RTR << 8 | RTS -> new Transition(CommandOpcode.RTR2RTS_QP, given.rts, given.running);
      case RTS << 8 | RTS -> new Transition(CommandOpcode.RTS2RTS_QP, 0, given.running);
      case SQD << 8 | RTS -> new Transition(CommandOpcode.SQD2RTS_QP, 0, given.running);
      case SQE << 8 | RTS -> new Transition(CommandOpcode.SQERR2RTS_QP, 0, given.recovered);
      default -> null;
    };
  }
}
