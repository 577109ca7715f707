package dev.bluebell.uverbs.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernel's checks of attribute changes of a queue pair, by type. */
class QpTransitionsTest {
  private static final int STATE = QpMask.STATE;
  private static final int PKEY_PORT = QpMask.PKEY_INDEX | QpMask.PORT;
  private static final int PEER = QpMask.AV | QpMask.PATH_MTU | QpMask.DEST_QPN | QpMask.RQ_PSN;

  private static final int RECEIVES = QpMask.MAX_DEST_RD_ATOMIC | QpMask.MIN_RNR_TIMER;
  private static final int SENDS =
      QpMask.TIMEOUT
          | QpMask.RETRY_CNT
          | QpMask.RNR_RETRY
          | QpMask.SQ_PSN
          | QpMask.MAX_QP_RD_ATOMIC;

  private static QpAttributes attributes(int mask, int currentState) {
    return new QpAttributes(
        View.of(ModifyQp.STRUCTURE)
            .set(ModifyQp.ATTR_MASK, mask)
            .set(ModifyQp.CUR_QP_STATE, currentState),
        View.over(new byte[0]));
  }

  static Stream<Arguments> enough() {
    int init = PKEY_PORT | QpMask.ACCESS_FLAGS;
    return Stream.of(
        Arguments.of(QpType.UD, 0, 1, PKEY_PORT | QpMask.QKEY, CommandOpcode.RST2INIT_QP),
        Arguments.of(QpType.UD, 1, 1, QpMask.QKEY, CommandOpcode.INIT2INIT_QP),
        Arguments.of(QpType.UD, 1, 2, 0, CommandOpcode.INIT2RTR_QP),
        Arguments.of(QpType.UD, 1, 2, QpMask.QKEY, CommandOpcode.INIT2RTR_QP),
        Arguments.of(QpType.UD, 2, 3, QpMask.SQ_PSN, CommandOpcode.RTR2RTS_QP),
        Arguments.of(QpType.UD, 3, 3, QpMask.QKEY, CommandOpcode.RTS2RTS_QP),
        Arguments.of(QpType.UD, 5, 3, QpMask.QKEY, CommandOpcode.SQERR2RTS_QP),
        Arguments.of(QpType.DCI, 0, 1, PKEY_PORT, CommandOpcode.RST2INIT_QP),
        Arguments.of(QpType.DCI, 1, 1, 0, CommandOpcode.INIT2INIT_QP),
        Arguments.of(QpType.DCI, 1, 2, QpMask.PATH_MTU, CommandOpcode.INIT2RTR_QP),
        Arguments.of(QpType.DCI, 1, 2, QpMask.PATH_MTU | QpMask.AV, CommandOpcode.INIT2RTR_QP),
        Arguments.of(QpType.DCI, 2, 3, SENDS, CommandOpcode.RTR2RTS_QP),
        Arguments.of(QpType.DCI, 3, 3, QpMask.MIN_RNR_TIMER, CommandOpcode.RTS2RTS_QP),
        Arguments.of(QpType.XRC_INI, 0, 1, init, CommandOpcode.RST2INIT_QP),
        Arguments.of(QpType.XRC_INI, 1, 2, PEER, CommandOpcode.INIT2RTR_QP),
        Arguments.of(QpType.XRC_INI, 2, 3, SENDS, CommandOpcode.RTR2RTS_QP),
        Arguments.of(QpType.XRC_INI, 3, 3, QpMask.ACCESS_FLAGS, CommandOpcode.RTS2RTS_QP),
        Arguments.of(QpType.XRC_TGT, 0, 1, init, CommandOpcode.RST2INIT_QP),
        Arguments.of(QpType.XRC_TGT, 1, 2, PEER | RECEIVES, CommandOpcode.INIT2RTR_QP),
        Arguments.of(
            QpType.XRC_TGT,
            2,
            3,
            QpMask.SQ_PSN | QpMask.TIMEOUT | QpMask.MIN_RNR_TIMER,
            CommandOpcode.RTR2RTS_QP),
        Arguments.of(QpType.XRC_TGT, 3, 3, QpMask.MIN_RNR_TIMER, CommandOpcode.RTS2RTS_QP),
        Arguments.of(QpType.UC, 0, 1, init, CommandOpcode.RST2INIT_QP),
        Arguments.of(QpType.UC, 1, 1, init, CommandOpcode.INIT2INIT_QP),
        Arguments.of(QpType.UC, 1, 2, PEER, CommandOpcode.INIT2RTR_QP),
        Arguments.of(QpType.UC, 2, 3, QpMask.SQ_PSN, CommandOpcode.RTR2RTS_QP),
        Arguments.of(QpType.UC, 3, 3, QpMask.ACCESS_FLAGS, CommandOpcode.RTS2RTS_QP),
        Arguments.of(QpType.UC, 5, 3, 0, CommandOpcode.SQERR2RTS_QP));
  }

  @ParameterizedTest
  @MethodSource("enough")
  void aTransitionThatTheKernelAllowsIsOneCommand(
      QpType type, int from, int to, int mask, int opcode) {
    assertThat(QpTransitions.find(type, from, to, attributes(mask | STATE, 0)).opcode())
        .isEqualTo(opcode);
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(QpType.UD, 0, 1, PKEY_PORT | QpMask.ACCESS_FLAGS),
        Arguments.of(QpType.UD, 0, 1, PKEY_PORT),
        Arguments.of(QpType.UD, 1, 2, PEER),
        Arguments.of(QpType.UD, 2, 3, 0),
        Arguments.of(QpType.UD, 2, 3, QpMask.SQ_PSN | QpMask.TIMEOUT),
        Arguments.of(QpType.UD, 3, 3, QpMask.ACCESS_FLAGS),
        Arguments.of(QpType.UD, 0, 2, PKEY_PORT | QpMask.QKEY),
        Arguments.of(QpType.DCI, 0, 1, PKEY_PORT | QpMask.ACCESS_FLAGS),
        Arguments.of(QpType.DCI, 1, 2, QpMask.AV),
        Arguments.of(QpType.DCI, 1, 2, PEER),
        Arguments.of(QpType.DCI, 2, 3, QpMask.SQ_PSN),
        Arguments.of(QpType.DCI, 5, 3, 0),
        Arguments.of(QpType.XRC_INI, 1, 2, PEER | RECEIVES),
        Arguments.of(QpType.XRC_INI, 2, 3, QpMask.SQ_PSN),
        Arguments.of(QpType.XRC_INI, 3, 3, QpMask.MIN_RNR_TIMER),
        Arguments.of(QpType.XRC_INI, 5, 3, QpMask.ACCESS_FLAGS),
        Arguments.of(QpType.XRC_TGT, 1, 2, PEER),
        Arguments.of(QpType.XRC_TGT, 2, 3, QpMask.SQ_PSN),
        Arguments.of(QpType.XRC_TGT, 2, 3, SENDS),
        Arguments.of(QpType.UC, 0, 1, PKEY_PORT | QpMask.QKEY),
        Arguments.of(QpType.UC, 1, 2, PEER & ~QpMask.RQ_PSN),
        Arguments.of(QpType.UC, 1, 2, PEER | QpMask.MIN_RNR_TIMER),
        Arguments.of(QpType.UC, 1, 2, PEER | QpMask.MAX_DEST_RD_ATOMIC),
        Arguments.of(QpType.UC, 2, 3, QpMask.SQ_PSN | QpMask.RETRY_CNT),
        Arguments.of(QpType.UC, 3, 3, QpMask.MIN_RNR_TIMER),
        Arguments.of(QpType.UC, 5, 3, QpMask.QKEY));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void aTransitionThatTheKernelForbidsIsInvalid(QpType type, int from, int to, int mask) {
    expectInvalid(type, from, to, attributes(mask | STATE, 0));
  }

  @Test
  void missingAndSurplusAttributesAreNamed() {
    int rtr = STATE | PEER | QpMask.MAX_DEST_RD_ATOMIC;
    assertThat(refusal(QpType.RC, 1, 2, rtr))
        .isEqualTo("a QP of type RC can't go from state INIT to RTR without IBV_QP_MIN_RNR_TIMER");
    assertThat(refusal(QpType.UC, 2, 3, STATE | QpMask.SQ_PSN | QpMask.RETRY_CNT))
        .isEqualTo(
            "a QP of type UC can't be given IBV_QP_RETRY_CNT when it goes from state RTR to RTS");
    assertThat(refusal(QpType.RC, 0, 1, STATE))
        .endsWith("without IBV_QP_ACCESS_FLAGS, IBV_QP_PKEY_INDEX, IBV_QP_PORT");
    int unnamed = STATE | PKEY_PORT | QpMask.ACCESS_FLAGS | 1 << 25;
    assertThat(refusal(QpType.RC, 0, 1, unnamed)).contains("given 0x2000000 when");
  }

  @Test
  void drainingIsRefusedAsByTheDriver() {
    assertThat(refusal(QpType.RC, 3, QpStates.SQD, STATE))
        .isEqualTo(
            "verbs has a state SQD, but neither the mlx5 driver of Linux nor this device lets a QP"
                + " go from state RTS to it; to drain a send queue, wait for the completions of its"
                + " requests");
  }

  private static String refusal(QpType type, int from, int to, int mask) {
    return String.valueOf(
        catchThrowableOfType(
                Refusal.class,
                () -> QpTransitions.find(type, from, to, attributes(mask, 0)).opcode())
            .getMessage());
  }

  private static void expectInvalid(QpType type, int from, int to, QpAttributes given) {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> QpTransitions.find(type, from, to, given).opcode());
    assertThat(refusal).isNotNull();
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  @ParameterizedTest
  @EnumSource(QpType.class)
  void everyTypeCanBeResetAndMadeToFail(QpType type) {
    for (int from = 1; from <= QpStates.ERR; from++) {
      assertThat(QpTransitions.find(type, from, 0, attributes(STATE, 0)).opcode())
          .isEqualTo(CommandOpcode.QP_2RST);
      assertThat(QpTransitions.find(type, from, 6, attributes(STATE, 0)).opcode())
          .isEqualTo(CommandOpcode.QP_2ERR);
    }
  }

  @Test
  void theCurrentStateMustBeAStateThatSends() {
    int mask = STATE | QpMask.CUR_STATE;
    expectInvalid(QpType.UD, 3, 3, attributes(mask, QpStates.INIT));
    assertThat(QpTransitions.find(QpType.UD, 5, 3, attributes(mask, 5)).opcode())
        .isEqualTo(CommandOpcode.SQERR2RTS_QP);
  }

  @Test
  void otherTypesAreNotSupported() {
    for (int type : new int[] {0, 1, 5, 8, 0xfe}) {
      Refusal refusal = catchThrowableOfType(Refusal.class, () -> QpType.of(type, 0).service());
      assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
    }
  }

  @Test
  void aDriverQueuePairIsEitherADciOrADct() {
    assertThat(QpType.of(Verbs.QPT_DRIVER, Mlx5.QP_FLAG_TYPE_DCI)).isEqualTo(QpType.DCI);
    int both = Mlx5.QP_FLAG_TYPE_DCI | Mlx5.QP_FLAG_TYPE_DCT;
    for (int flags : new int[] {0, Mlx5.QP_FLAG_TYPE_DCT, both}) {
      Refusal refusal =
          catchThrowableOfType(Refusal.class, () -> QpType.of(Verbs.QPT_DRIVER, flags).service());
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    }
  }
}
