package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on queue pairs of the unreliable services. */
class UnreliableQpTest extends Refusals {
  private static final int UC = 1;
  private static final int UD = 2;

  private RawQp queuePair(int service) {
    return rig.qp(new RawQpPlan(rig.cq(4)).service(service));
  }

  @ParameterizedTest
  @ValueSource(ints = {UC, UD})
  void theServiceIsKept(int service) {
    assertThat(queuePair(service).query().getInt(Qpc.ST)).isEqualTo(service);
  }

  @Test
  void aDatagramQueuePairTakesItsQueueKeyAndNoPeer() {
    RawQp qp = queuePair(UD);
    qp.connect(0x999, new Settings().qkey(0x2345).psn(0x77, 0x88));
    View context = qp.query();
    assertThat(context.getInt(Qpc.STATE)).isEqualTo(QpState.RTS);
    assertThat(context.getInt(Qpc.Q_KEY)).isEqualTo(0x2345);
    assertThat(context.getInt(Qpc.REMOTE_QPN)).isZero();
    assertThat(context.isSet(Qpc.RWE)).isFalse();
    assertThat(context.getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x77);
    assertThat(context.getInt(Qpc.MTU)).isEqualTo(5);
  }

  @Test
  void anUnreliableConnectionTakesItsPeerAndNoTimers() {
    RawQp qp = queuePair(UC);
    qp.connect(0x999, new Settings().mtu(3).psn(0x77, 0x88).minRnrTimer(9).retryCount(3));
    View context = qp.query();
    assertThat(context.getInt(Qpc.STATE)).isEqualTo(QpState.RTS);
    assertThat(context.getInt(Qpc.MTU)).isEqualTo(3);
    assertThat(context.getInt(Qpc.REMOTE_QPN)).isEqualTo(0x999);
    assertThat(context.getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x77);
    assertThat(context.getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(0x88);
    assertThat(context.getInt(Qpc.MIN_RNR_NAK)).isZero();
    assertThat(context.getInt(Qpc.RETRY_COUNT)).isZero();
  }

  @Test
  void aDatagramQueuePairNeedsNoAddressPath() {
    RawQp qp = queuePair(UD);
    qp.object().modify(new Settings().toInit(qp.number()).bytes());
    View command = new Settings().toRtr(qp.number(), 0);
    command.at(Init2rtrQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH).set(Ads.SRC_ADDR_INDEX, 5);
    qp.object().modify(command.bytes());
    assertThat(qp.state()).isEqualTo(QpState.RTR);
  }

  @Test
  void theAddressPathOfAnUnreliableConnectionIsChecked() {
    RawQp qp = queuePair(UC);
    qp.object().modify(new Settings().toInit(qp.number()).bytes());
    expectRefused(
        Case.badParam(
            c -> c.at(Init2rtrQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH).set(Ads.SRC_ADDR_INDEX, 5),
            "src_addr_index 5"),
        new Settings().toRtr(qp.number(), 1),
        qp.object()::modify);
  }

  @ParameterizedTest
  @ValueSource(ints = {UC, UD})
  void anMtuIsNeeded(int service) {
    RawQp qp = queuePair(service);
    qp.object().modify(new Settings().toInit(qp.number()).bytes());
    expectRefused(
        Case.badParam(c -> c.at(Init2rtrQpIn.QPC).set(Qpc.MTU, 6), "mtu 6"),
        new Settings().toRtr(qp.number(), 1),
        qp.object()::modify);
  }

  @ParameterizedTest
  @ValueSource(ints = {UC, UD})
  void readLimitsAreIgnored(int service) {
    RawQp qp = queuePair(service);
    Settings settings = new Settings().reads(7, 7);
    qp.object().modify(settings.toInit(qp.number()).bytes());
    qp.object().modify(settings.toRtr(qp.number(), 1).bytes());
    View command = settings.toRts(qp.number());
    assertThat(command.at(Rtr2rtsQpIn.QPC).getInt(Qpc.LOG_SRA_MAX)).isEqualTo(7);
    qp.object().modify(command.bytes());
    assertThat(qp.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void theQueueKeyIsTakenOnlyWhenTheMaskSelectsIt() {
    RawQp qp = queuePair(UD);
    qp.connect(0, new Settings().qkey(1));
    View command = qp.transition(CommandOpcode.RTS2RTS_QP);
    command.at(Init2initQpIn.QPC).set(Qpc.Q_KEY, 2);
    qp.object().modify(command.bytes());
    assertThat(qp.query().getInt(Qpc.Q_KEY)).isEqualTo(1);
    qp.object().modify(command.set(Init2initQpIn.OPT_PARAM_MASK, 1 << 5).bytes());
    assertThat(qp.query().getInt(Qpc.Q_KEY)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {UC, UD})
  void sqerr2RtsIsRefusedOutsideOfSqer(int service) {
    RawQp qp = queuePair(service);
    qp.connect(1, new Settings());
    HcaException refusal =
        Rig.refused(() -> qp.object().modify(qp.transition(CommandOpcode.SQERR2RTS_QP).bytes()));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_QP_STATE);
  }

  @Test
  void theObjectListNamesTheService() {
    queuePair(UD);
    queuePair(UC);
    assertThat(String.join("\n", rig.nic().diagnosis().orElseThrow().objects()))
        .contains("UD, RST, send index", "UC, RST, remote QP");
  }
}
