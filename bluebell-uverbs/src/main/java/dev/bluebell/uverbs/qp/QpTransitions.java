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
import java.util.Map;
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
  private static final int RUNNING =
      CUR_STATE | ALT_PATH | ACCESS_FLAGS | MIN_RNR_TIMER | PATH_MIG_STATE;

  private static final int CONNECTED = AV | PATH_MTU | DEST_QPN | RQ_PSN;
  private static final int CONNECTED_TOO = ALT_PATH | ACCESS_FLAGS | PKEY_INDEX;

  private static final int DATAGRAMS = PKEY_INDEX | PORT | QKEY;
  private static final int RUNNING_WITHOUT_RNR =
      CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE;

  private static final Map<Integer, Transition> UC =
      Map.ofEntries(
          entry(RESET, RESET, 0, 0, 0),
          entry(RESET, INIT, CommandOpcode.RST2INIT_QP, RIGHTS, 0),
          entry(INIT, INIT, CommandOpcode.INIT2INIT_QP, 0, RIGHTS),
          entry(INIT, RTR, CommandOpcode.INIT2RTR_QP, CONNECTED, CONNECTED_TOO),
          entry(RTR, RTS, CommandOpcode.RTR2RTS_QP, SQ_PSN, RUNNING_WITHOUT_RNR),
          entry(RTS, RTS, CommandOpcode.RTS2RTS_QP, 0, RUNNING_WITHOUT_RNR),
          entry(SQD, RTS, CommandOpcode.SQD2RTS_QP, 0, RUNNING_WITHOUT_RNR),
          entry(SQE, RTS, CommandOpcode.SQERR2RTS_QP, 0, CUR_STATE | ACCESS_FLAGS));

  private static final Map<Integer, Transition> UD =
      Map.ofEntries(
          entry(RESET, RESET, 0, 0, 0),
          entry(RESET, INIT, CommandOpcode.RST2INIT_QP, DATAGRAMS, 0),
          entry(INIT, INIT, CommandOpcode.INIT2INIT_QP, 0, DATAGRAMS),
          entry(INIT, RTR, CommandOpcode.INIT2RTR_QP, 0, PKEY_INDEX | QKEY),
          entry(RTR, RTS, CommandOpcode.RTR2RTS_QP, SQ_PSN, CUR_STATE | QKEY),
          entry(RTS, RTS, CommandOpcode.RTS2RTS_QP, 0, CUR_STATE | QKEY),
          entry(SQD, RTS, CommandOpcode.SQD2RTS_QP, 0, CUR_STATE | QKEY),
          entry(SQE, RTS, CommandOpcode.SQERR2RTS_QP, 0, CUR_STATE | QKEY));

  private static final Map<Integer, Transition> DCI =
      Map.ofEntries(
          entry(RESET, RESET, 0, 0, 0),
          entry(RESET, INIT, CommandOpcode.RST2INIT_QP, PKEY_INDEX | PORT, 0),
          entry(INIT, INIT, CommandOpcode.INIT2INIT_QP, 0, PKEY_INDEX | PORT),
          entry(INIT, RTR, CommandOpcode.INIT2RTR_QP, PATH_MTU, PKEY_INDEX | AV),
          entry(
              RTR,
              RTS,
              CommandOpcode.RTR2RTS_QP,
              TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
              MIN_RNR_TIMER),
          entry(RTS, RTS, CommandOpcode.RTS2RTS_QP, 0, MIN_RNR_TIMER));

  private static final Map<Integer, Transition> XRC_INI =
      Map.ofEntries(
          entry(RESET, RESET, 0, 0, 0),
          entry(RESET, INIT, CommandOpcode.RST2INIT_QP, RIGHTS, 0),
          entry(INIT, INIT, CommandOpcode.INIT2INIT_QP, 0, RIGHTS),
          entry(INIT, RTR, CommandOpcode.INIT2RTR_QP, CONNECTED, CONNECTED_TOO),
          entry(
              RTR,
              RTS,
              CommandOpcode.RTR2RTS_QP,
              TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
              RUNNING_WITHOUT_RNR),
          entry(RTS, RTS, CommandOpcode.RTS2RTS_QP, 0, RUNNING_WITHOUT_RNR),
          entry(SQD, RTS, CommandOpcode.SQD2RTS_QP, 0, RUNNING_WITHOUT_RNR),
          entry(SQE, RTS, CommandOpcode.SQERR2RTS_QP, 0, 0));

  private static final Map<Integer, Transition> XRC_TGT =
      Map.ofEntries(
          entry(RESET, RESET, 0, 0, 0),
          entry(RESET, INIT, CommandOpcode.RST2INIT_QP, RIGHTS, 0),
          entry(INIT, INIT, CommandOpcode.INIT2INIT_QP, 0, RIGHTS),
          entry(
              INIT,
              RTR,
              CommandOpcode.INIT2RTR_QP,
              CONNECTED | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
              CONNECTED_TOO),
          entry(RTR, RTS, CommandOpcode.RTR2RTS_QP, TIMEOUT | SQ_PSN, RUNNING),
          entry(RTS, RTS, CommandOpcode.RTS2RTS_QP, 0, RUNNING),
          entry(SQD, RTS, CommandOpcode.SQD2RTS_QP, 0, RUNNING),
          entry(SQE, RTS, CommandOpcode.SQERR2RTS_QP, 0, 0));

  private static final Map<Integer, Transition> RC =
      Map.ofEntries(
          entry(RESET, RESET, 0, 0, 0),
          entry(RESET, INIT, CommandOpcode.RST2INIT_QP, RIGHTS, 0),
          entry(INIT, INIT, CommandOpcode.INIT2INIT_QP, 0, RIGHTS),
          entry(
              INIT,
              RTR,
              CommandOpcode.INIT2RTR_QP,
              CONNECTED | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
              CONNECTED_TOO),
          entry(
              RTR,
              RTS,
              CommandOpcode.RTR2RTS_QP,
              TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
              RUNNING),
          entry(RTS, RTS, CommandOpcode.RTS2RTS_QP, 0, RUNNING),
          entry(SQD, RTS, CommandOpcode.SQD2RTS_QP, 0, RUNNING),
          entry(SQE, RTS, CommandOpcode.SQERR2RTS_QP, 0, CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER));

  private QpTransitions() {}

  private static Map.Entry<Integer, Transition> entry(
      int from, int to, int opcode, int required, int optional) {
    return Map.entry(key(from, to), new Transition(opcode, required, optional));
  }

  private static int key(int from, int to) {
    return from << 8 | to;
  }

  /** Finds the transition for the attributes; throws when the kernel has none. */
  static Transition find(QpType type, int from, int to, QpAttributes attributes) {
    @Nullable Transition found = find(type, from, to);
    int given = attributes.mask();
    if (found == null) {
      throw new Refusal(
          Errno.EINVAL, "a QP can't go from state %s to %s".formatted(name(from), name(to)));
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
    if (to == RESET && from != RESET) {
      return new Transition(CommandOpcode.QP_2RST, 0, 0);
    }
    return switch (type) {
      case RC -> RC.get(key(from, to));
      case UC -> UC.get(key(from, to));
      case UD -> UD.get(key(from, to));
      case DCI -> DCI.get(key(from, to));
      case XRC_INI -> XRC_INI.get(key(from, to));
      case XRC_TGT -> XRC_TGT.get(key(from, to));
    };
  }
}
