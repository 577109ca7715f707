package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DctCommands.DestroyDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of DC targets, and those that make DC initiators. */
class DctTest extends Refusals {
  private static View dctc(View command) {
    return command.at(CreateDctIn.DCT_CONTEXT_ENTRY);
  }

  private static View qpc(View command) {
    return command.at(CreateQpIn.QPC);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> dctc(c).set(Dctc.STATE, 1), "state 1"),
        Case.badParam(c -> dctc(c).set(Dctc.PORT, 2), "port 2"),
        Case.badParam(c -> dctc(c).set(Dctc.PKEY_INDEX, 1), "pkey_index 1"),
        Case.badParam(c -> dctc(c).set(Dctc.MTU, 0), "mtu 0"),
        Case.badParam(c -> dctc(c).set(Dctc.MTU, 6), "mtu 6"),
        Case.badParam(c -> dctc(c).set(Dctc.MY_ADDR_INDEX, 7), "my_addr_index 7"),
        Case.badParam(c -> dctc(c).set(Dctc.OFFLOAD_TYPE, 1), "offload_type is 1"),
        Case.badResource(c -> dctc(c).set(Dctc.PD, 0x7777), "pd 0x7777"),
        Case.badResource(c -> dctc(c).set(Dctc.CQN, 0x7777), "cqn 0x7777"),
        Case.badResource(c -> dctc(c).set(Dctc.SRQN_XRQN, 0x7777), "srqn_xrqn 0x7777"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    expectRefused(
        wrong, RawDct.command(rig, rig.cq(4), new RawPool(rig, false, 3)), rig.nic()::create);
  }

  static Stream<Case> mistakesOfInitiators() {
    return Stream.of(
        Case.badParam(c -> qpc(c).set(Qpc.RQ_TYPE, 0), "rq_type 0", "does not receive"),
        Case.badParam(
            c -> qpc(c).set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, 7),
            "log_num_dci_stream_channels 7 is larger than 6"),
        Case.badParam(
            c -> qpc(c).set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, 7),
            "log_num_dci_errored_streams 7 is larger than 6"));
  }

  @ParameterizedTest
  @MethodSource("mistakesOfInitiators")
  void aMistakeOfAnInitiatorIsRefusedAndNamed(Case wrong) {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(4)).initiator());
    expectRefused(wrong, qp.command(), rig.nic()::create);
  }

  @Test
  void anInitiatorWithMoreReadsThanTheDeviceAllowsIsRefused() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(4)).initiator());
    Settings settings = new Settings();
    qp.object().modify(settings.toInit(qp.number()).bytes());
    qp.object().modify(settings.toRtr(qp.number(), 0).bytes());
    expectRefused(
        Case.badParam(c -> c.at(Rtr2rtsQpIn.QPC).set(Qpc.LOG_SRA_MAX, 5), "log_sra_max 5"),
        settings.toRts(qp.number()),
        qp.object()::modify);
  }

  @Test
  void theContextIsKept() {
    RawDct target = new RawDct(rig, rig.cq(4), new RawPool(rig, false, 3));
    View context = target.query();
    assertThat(context.getInt(Dctc.STATE)).isEqualTo(Dctc.STATE_ACTIVE);
    assertThat(context.get(Dctc.DC_ACCESS_KEY)).isEqualTo(RawDct.KEY);
    assertThat(context.getInt(Dctc.USER_INDEX)).isEqualTo(RawDct.USER_INDEX);
    assertThat(context.getInt(Dctc.MTU)).isEqualTo(3);
  }

  @Test
  void theLongerContextOfUcxIsTaken() {
    byte[] command = RawDct.command(rig, rig.cq(4), new RawPool(rig, false, 3)).bytes();
    byte[] longer = Arrays.copyOf(command, 176);
    // Its ece, after the end of the context that Linux knows.
    Arrays.fill(longer, 80, 84, (byte) 0xff);
    assertThat(rig.nic().create(longer).number()).isGreaterThanOrEqualTo(Limits.FIRST_DCT);
  }

  @Test
  void destroyingATargetReleasesTheObjectsThatItUses() {
    RawPool pool = new RawPool(rig, false, 3);
    RawCq cq = rig.cq(4);
    RawDct target = new RawDct(rig, cq, pool);
    assertThat(Rig.refused(() -> pool.object().close()).status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(Rig.refused(() -> cq.object().close()).status()).isEqualTo(CommandStatus.RES_BUSY);
    target.object().close();
    pool.object().close();
    cq.object().close();
    rig.domain().close();
  }

  @Test
  void onlyADrainedTargetCanBeDestroyed() {
    RawDct target = new RawDct(rig, rig.cq(4), new RawPool(rig, false, 3));
    byte[] destroy =
        View.command(DestroyDctIn.STRUCTURE, CommandOpcode.DESTROY_DCT)
            .set(DestroyDctIn.DCTN, target.number())
            .bytes();
    HcaException refusal = Rig.refused(() -> Rigs.command(rig.nic(), destroy));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_RES_STATE);
    assertThat(refusal).hasMessageContaining("is active; drain it first");
    target.drain();
    target.drain();
    target.object().close();
  }

  @Test
  void aTargetThatDoesNotExistIsNamed() {
    byte[] query =
        View.command(QueryDctIn.STRUCTURE, CommandOpcode.QUERY_DCT)
            .set(QueryDctIn.DCTN, 0x40)
            .bytes();
    assertThat(Rig.refused(() -> Rigs.command(rig.nic(), query)))
        .hasMessageContaining("dctn 0x40 does not name a DC target");
  }

  @Test
  void noTargetHasTheNumberOfAQueuePair() {
    RawDct target = new RawDct(rig, rig.cq(4), new RawPool(rig, false, 3));
    assertThat(target.number()).isGreaterThanOrEqualTo(1 << Limits.LOG_MAX_QP);
  }
}
