package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The queue pair state machine. */
class TransitionTest extends Refusals {
  private static final Map<Integer, Set<Integer>> FROM =
      Map.of(
          CommandOpcode.RST2INIT_QP, Set.of(QpState.RST),
          CommandOpcode.INIT2INIT_QP, Set.of(QpState.INIT),
          CommandOpcode.INIT2RTR_QP, Set.of(QpState.INIT),
          CommandOpcode.RTR2RTS_QP, Set.of(QpState.RTR),
          CommandOpcode.RTS2RTS_QP, Set.of(QpState.RTS),
          CommandOpcode.SQD2RTS_QP, Set.of(QpState.SQD),
          CommandOpcode.SQERR2RTS_QP, Set.of(QpState.SQER),
          CommandOpcode.QP_2ERR,
              Set.of(QpState.RST, QpState.INIT, QpState.RTR, QpState.RTS, QpState.ERR),
          CommandOpcode.QP_2RST,
              Set.of(QpState.RST, QpState.INIT, QpState.RTR, QpState.RTS, QpState.ERR));

  private static final Map<Integer, Integer> TO =
      Map.of(
          CommandOpcode.RST2INIT_QP, QpState.INIT,
          CommandOpcode.INIT2INIT_QP, QpState.INIT,
          CommandOpcode.INIT2RTR_QP, QpState.RTR,
          CommandOpcode.RTR2RTS_QP, QpState.RTS,
          CommandOpcode.RTS2RTS_QP, QpState.RTS,
          CommandOpcode.QP_2ERR, QpState.ERR,
          CommandOpcode.QP_2RST, QpState.RST);

  static Stream<Arguments> everyCommandInEveryState() {
    return FROM.keySet().stream()
        .sorted()
        .flatMap(
            opcode ->
                Stream.of(QpState.RST, QpState.INIT, QpState.RTR, QpState.RTS, QpState.ERR)
                    .map(state -> Arguments.of(CommandOpcode.name(opcode), opcode, state)));
  }

  private RawQp in(int state) {
    RawQp qp = rig.qp(rig.cq(4));
    Settings settings = new Settings();
    if (state >= QpState.INIT) {
      qp.object().modify(settings.toInit(qp.number()).bytes());
    }
    if (state >= QpState.RTR) {
      qp.object().modify(settings.toRtr(qp.number(), qp.number()).bytes());
    }
    if (state >= QpState.RTS) {
      qp.object().modify(settings.toRts(qp.number()).bytes());
    }
    if (state == QpState.ERR) {
      qp.toError();
    }
    assertThat(qp.state()).isEqualTo(state);
    return qp;
  }

  private static View command(RawQp qp, int opcode) {
    Settings settings = new Settings();
    return switch (opcode) {
      case CommandOpcode.RST2INIT_QP -> settings.toInit(qp.number());
      case CommandOpcode.INIT2RTR_QP -> settings.toRtr(qp.number(), qp.number());
      case CommandOpcode.RTR2RTS_QP -> settings.toRts(qp.number());
      default -> qp.transition(opcode);
    };
  }

  @ParameterizedTest(name = "{0} in state {2}")
  @MethodSource("everyCommandInEveryState")
  void aTransitionWorksFromItsStatesOnly(String name, int opcode, int state) {
    RawQp qp = in(state);
    byte[] command = command(qp, opcode).bytes();
    if (FROM.get(opcode).contains(state)) {
      qp.object().modify(command);
      assertThat(qp.state()).isEqualTo(TO.get(opcode));
      return;
    }
    HcaException refusal = Rig.refused(() -> qp.object().modify(command));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_QP_STATE);
    assertThat(refusal)
        .hasMessageContaining(name)
        .hasMessageContaining(
            "the state of QP 0x%x is %s".formatted(qp.number(), QpState.name(state)));
    assertThat(qp.state()).isEqualTo(state);
  }

  private static View path(View command) {
    return command.at(Rst2initQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH);
  }

  static Stream<Case> mistakesToInit() {
    return Stream.of(
        Case.badParam(c -> path(c).set(Ads.VHCA_PORT_NUM, 2), "vhca_port_num 2"),
        Case.badParam(c -> path(c).set(Ads.PKEY_INDEX, 1), "pkey_index 1"));
  }

  @ParameterizedTest
  @MethodSource("mistakesToInit")
  void aMistakeToInitIsRefusedAndNamed(Case wrong) {
    RawQp qp = in(QpState.RST);
    expectRefused(wrong, new Settings().toInit(qp.number()), qp.object()::modify);
  }

  static Stream<Case> mistakesToRtr() {
    return Stream.of(
        Case.badParam(c -> c.at(Init2rtrQpIn.QPC).set(Qpc.MTU, 0), "mtu 0"),
        Case.badParam(c -> c.at(Init2rtrQpIn.QPC).set(Qpc.MTU, 6), "mtu 6"),
        Case.badParam(c -> c.at(Init2rtrQpIn.QPC).set(Qpc.LOG_MSG_MAX, 31), "log_msg_max 31", "30"),
        Case.badParam(
            c -> path(c.set(Init2rtrQpIn.OPT_PARAM_MASK, 1 << 4)).set(Ads.PKEY_INDEX, 1),
            "pkey_index 1"),
        Case.badParam(c -> path(c).set(Ads.SRC_ADDR_INDEX, 4), "src_addr_index 4"),
        Case.badParam(c -> path(c).set(Ads.SRC_ADDR_INDEX, 255), "src_addr_index 255"),
        Case.badParam(
            c -> c.at(Init2rtrQpIn.QPC).set(Qpc.LOG_RRA_MAX, 5),
            "log_rra_max 5",
            "log_max_ra_res_qp 4"));
  }

  @ParameterizedTest
  @MethodSource("mistakesToRtr")
  void aMistakeToRtrIsRefusedAndNamed(Case wrong) {
    RawQp qp = in(QpState.INIT);
    expectRefused(wrong, new Settings().toRtr(qp.number(), 1), qp.object()::modify);
  }

  @Test
  void aMistakeToRtsIsRefusedAndNamed() {
    RawQp qp = in(QpState.RTR);
    expectRefused(
        Case.badParam(
            c -> c.at(Rtr2rtsQpIn.QPC).set(Qpc.LOG_SRA_MAX, 5),
            "log_sra_max 5",
            "log_max_ra_req_qp 4"),
        new Settings().toRts(qp.number()),
        qp.object()::modify);
  }

  @Test
  void aPartitionIsCheckedAndTakenWhereTheMaskSelectsIt() {
    RawQp qp = in(QpState.INIT);
    View command = qp.transition(CommandOpcode.INIT2INIT_QP);
    path(command).set(Ads.PKEY_INDEX, 1);
    qp.object().modify(command.bytes());
    expectRefused(
        Case.badParam(c -> c.set(Init2initQpIn.OPT_PARAM_MASK, 1 << 4), "pkey_index 1"),
        command,
        qp.object()::modify);
  }

  @Test
  void anOptionalAttributeIsTakenOnlyWhenTheMaskSelectsIt() {
    RawQp qp = in(QpState.RTS);
    View command = qp.transition(CommandOpcode.RTS2RTS_QP);
    command.at(Init2initQpIn.QPC).set(Qpc.MIN_RNR_NAK, 9).set(Qpc.RWE, false);
    qp.object().modify(command.bytes());
    assertThat(qp.query().getInt(Qpc.MIN_RNR_NAK)).isEqualTo(1);
    assertThat(qp.query().isSet(Qpc.RWE)).isTrue();
    // Bits 1, 3 and 6 are RRE, RWE and the RNR timer.
    qp.object().modify(command.set(Init2initQpIn.OPT_PARAM_MASK, 1 << 3 | 1 << 6).bytes());
    assertThat(qp.query().getInt(Qpc.MIN_RNR_NAK)).isEqualTo(9);
    assertThat(qp.query().isSet(Qpc.RWE)).isFalse();
    assertThat(qp.query().isSet(Qpc.RRE)).isTrue();
  }

  @Test
  void aRightThatTheMaskDoesNotSelectIsIgnoredAndExplained() {
    RawQp qp = in(QpState.RTS);
    View command = qp.transition(CommandOpcode.RTS2RTS_QP);
    command.at(Init2initQpIn.QPC).set(Qpc.RWE, false);
    qp.object().modify(command.set(Init2initQpIn.OPT_PARAM_MASK, 1 << 3).bytes());
    command.at(Init2initQpIn.QPC).set(Qpc.RWE, true);
    qp.object().modify(command.set(Init2initQpIn.OPT_PARAM_MASK, 0).bytes());
    assertThat(qp.query().isSet(Qpc.RWE)).isFalse();
    assertThat(rig.explanation())
        .isEqualTo(
            "RTS2RTS_QP of QP 0x%x sets rwe (selected by bit 0x08 of opt_param_mask), but opt_param_mask is 0x0, so the device ignores it"
                .formatted(qp.number()));
  }

  @Test
  void anAlternatePathIsIgnoredAndExplainedOnce() {
    RawQp qp = in(QpState.RTS);
    qp.object().modify(migrating(qp, 1, Qpc.PM_STATE_MIGRATED));
    qp.object().modify(migrating(qp, 1 << 10, Qpc.PM_STATE_REARM));
    assertThat(rig.nic().diagnosis().orElseThrow().explanations())
        .containsExactly(
            "RTS2RTS_QP of QP 0x%x sets an alternate path: this device has no automatic path migration (apm), so it ignores the alternate path, and the connection fails when its only path fails"
                .formatted(qp.number()));
    assertThat(qp.query().getInt(Qpc.PM_STATE)).isNotEqualTo(Qpc.PM_STATE_REARM);
  }

  @Test
  void aStateOfPathMigrationThatNeedsNoneIsNotExplained() {
    RawQp qp = in(QpState.RTS);
    qp.object().modify(migrating(qp, 1 << 10, Qpc.PM_STATE_MIGRATED));
    qp.object().modify(migrating(qp, 0, Qpc.PM_STATE_ARMED));
    assertThat(rig.nic().diagnosis().orElseThrow().explanations()).isEmpty();
  }

  @Test
  void aStrictDeviceRefusesAnAlternatePath() {
    try (Rig strict = Rigs.open(SoftNicOptions::withStrict)) {
      RawQp qp = strict.qp(strict.cq(4));
      qp.connect(qp.number(), new Settings());
      HcaException refusal =
          Rig.refused(() -> qp.object().modify(migrating(qp, 1, Qpc.PM_STATE_MIGRATED)));
      assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
      assertThat(refusal).hasMessageContaining("no automatic path migration");
      assertThat(Rig.refused(() -> qp.object().modify(migrating(qp, 1 << 10, Qpc.PM_STATE_REARM))))
          .hasMessageContaining("sets pm_state 1 (REARM): this device has no automatic");
    }
  }

  private static byte[] migrating(RawQp qp, int mask, int state) {
    View command = qp.transition(CommandOpcode.RTS2RTS_QP).set(Init2initQpIn.OPT_PARAM_MASK, mask);
    command.at(Init2initQpIn.QPC).set(Qpc.PM_STATE, state);
    return command.bytes();
  }

  @Test
  void theAttributesOfAConnectionAreReported() {
    RawQp qp = rig.qp(rig.cq(4));
    Gid remote = new Gid(1, 2);
    Settings settings =
        new Settings()
            .mtu(3)
            .timeout(11)
            .retryCount(3)
            .rnrRetry(4)
            .minRnrTimer(5)
            .reads(1, 2)
            .psn(0x123, 0x456)
            .remote(remote);
    qp.connect(0x999, settings);
    View context = qp.query();
    assertThat(context.getInt(Qpc.MTU)).isEqualTo(3);
    assertThat(context.getInt(Qpc.REMOTE_QPN)).isEqualTo(0x999);
    assertThat(context.getInt(Qpc.RETRY_COUNT)).isEqualTo(3);
    assertThat(context.getInt(Qpc.RNR_RETRY)).isEqualTo(4);
    assertThat(context.getInt(Qpc.MIN_RNR_NAK)).isEqualTo(5);
    assertThat(context.getInt(Qpc.LOG_SRA_MAX)).isEqualTo(1);
    assertThat(context.getInt(Qpc.LOG_RRA_MAX)).isEqualTo(2);
    assertThat(context.getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x123);
    assertThat(context.getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(0x456);
    View ads = context.at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(ads.getInt(Ads.ACK_TIMEOUT)).isEqualTo(11);
    assertThat(Gid.of(ads.getBytes(Ads.RGID_RIP))).isEqualTo(remote);
  }

  @Test
  void anEceRequestIsAnsweredWithZero() {
    RawQp qp = in(QpState.RST);
    Settings settings = new Settings();
    Field ece = CommandFormat.of(CommandOpcode.RST2INIT_QP).orElseThrow().output().field("ece");
    for (View command :
        List.of(
            settings.toInit(qp.number()),
            settings.toRtr(qp.number(), qp.number()),
            settings.toRts(qp.number()))) {
      command.set(Rst2initQpIn.ECE, 0x1000_0001);
      byte[] answer = qp.object().modify(command.bytes());
      assertThat(View.over(answer).getInt(ece)).isZero();
    }
  }

  @Test
  void countersStartAnewAfterAReset() {
    RawQp qp = in(QpState.RTS);
    for (int i = 0; i < 5; i++) {
      qp.post(Wqe.nop());
    }
    rig.settle();
    qp.sends().poll(5);
    assertThat(qp.query().getInt(Qpc.HW_SQ_WQEBB_COUNTER)).isEqualTo(5);
    assertThat(qp.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(5);
    qp.reset();
    assertThat(qp.query().getInt(Qpc.HW_SQ_WQEBB_COUNTER)).isZero();
    qp.connect(qp.number(), new Settings());
    qp.post(Wqe.nop());
    rig.settle();
    assertThat(qp.sends().pollOne().wqeCounter()).isZero();
  }
}
