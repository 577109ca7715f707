package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CREATE_XRQ, QUERY_XRQ, ARM_XRQ, DESTROY_XRQ, and queue pairs that receive from one. */
class CreateXrqTest extends Refusals {

  private static View xrqc(View command) {
    return command.at(CreateXrqIn.XRQ_CONTEXT);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> xrqc(c).set(Xrqc.STATE, 1), "state 1", "GOOD"),
        Case.badParam(c -> xrqc(c).set(Xrqc.TOPOLOGY, 0), "topology 0"),
        Case.badParam(c -> xrqc(c).set(Xrqc.OFFLOAD, 2), "offload 2"),
        Case.badParam(c -> xrqc(c).set(Xrqc.DC, true), "dc is 1"),
        Case.badParam(
            c ->
                xrqc(c)
                    .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
                    .set(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ, 11),
            "log_matching_list_sz 11"),
        Case.badResource(c -> xrqc(c).set(Xrqc.CQN, 0x7777), "cqn 0x7777"),
        Case.badParam(
            c -> xrqc(c).at(Xrqc.WQ).set(Wq.WQ_TYPE, 3).set(Wq.LOG_WQE_NUM_OF_STRIDES, 0x9),
            "log_wqe_num_of_strides 0x9"),
        Case.badParam(c -> xrqc(c).at(Xrqc.WQ).set(Wq.WQ_TYPE, 4), "wq_type 4"),
        Case.badResource(c -> xrqc(c).at(Xrqc.WQ).set(Wq.PD, 0x7777), "pd 0x7777"));
  }

  private RawXrq xrq() {
    return new RawXrq(rig, rig.cq(4), 3);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    expectRefused(wrong, xrq().command(), rig.nic()::create);
  }

  @Test
  void theContextIsKeptAndReportsTheTagList() {
    View context = xrq().query();
    assertThat(context.getInt(Xrqc.TOPOLOGY)).isEqualTo(1);
    assertThat(context.getInt(Xrqc.USER_INDEX)).isEqualTo(RawXrq.USER_INDEX);
    View topology = context.at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT);
    assertThat(topology.getInt(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ)).isEqualTo(3);
    assertThat(topology.getInt(TagMatchingTopologyContext.APPEND_NEXT_INDEX)).isZero();
  }

  @Test
  void anUnknownReceivePoolOrXrqIsNamed() {
    RawXrq xrq = xrq();
    View command =
        View.command(ModifyRmpIn.STRUCTURE, CommandOpcode.MODIFY_RMP)
            .set(ModifyRmpIn.RMPN, xrq.number())
            .set(ModifyRmpIn.RMP_STATE, Rmpc.STATE_RDY);
    FirmwareRig other = new FirmwareRig();
    assertThat(other.execute(command.bytes()).explanation())
        .contains("does not name a receive pool");
    assertThat(
            other
                .execute(
                    View.command(ArmXrqIn.STRUCTURE, CommandOpcode.ARM_XRQ)
                        .set(ArmXrqIn.XRQN, 0x77)
                        .bytes())
                .explanation())
        .contains("xrqn 0x77 does not name an XRQ");
  }

  @Test
  void anXrqThatServesQueuePairsCannotBeDestroyed() {
    RawXrq xrq = xrq();
    RawQp qp = xrq.qp();
    HcaException refusal = Rig.refused(xrq.object()::close);
    assertThat(refusal.status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(refusal).hasMessageContaining("still serves queue pairs (1)");
    qp.object().close();
    assertThat(rig.nic().diagnosis().orElseThrow().objects()).anyMatch(o -> o.startsWith("XRQ"));
    xrq.object().close();
    assertThat(rig.nic().diagnosis().orElseThrow().objects()).noneMatch(o -> o.startsWith("XRQ"));
  }

  @Test
  void theCompletionQueueOfAnXrqCannotBeDestroyed() {
    RawCq cq = rig.cq(4);
    RawXrq xrq = new RawXrq(rig, cq, 3);
    assertThat(Rig.refused(cq.object()::close).status()).isEqualTo(CommandStatus.RES_BUSY);
    xrq.object().close();
    cq.object().close();
  }

  @Test
  void aQueuePairKeepsItsOwnReceiveCompletionQueueAndThatOfItsXrq() {
    RawCq own = rig.cq(4);
    RawCq tags = rig.cq(4);
    RawXrq xrq = new RawXrq(rig, tags, 3);
    RawQp qp = rig.qp(xrq.plan().receiveCompletions(own));
    assertThat(Rig.refused(own.object()::close).status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(Rig.refused(tags.object()::close).status()).isEqualTo(CommandStatus.RES_BUSY);
    qp.object().close();
    own.object().close();
    assertThat(Rig.refused(tags.object()::close).status()).isEqualTo(CommandStatus.RES_BUSY);
    xrq.object().close();
    tags.object().close();
  }

  @Test
  void onlyReliableConnectionsMatchTags() {
    RawXrq xrq = xrq();
    HcaException refusal = Rig.refused(() -> rig.qp(xrq.plan().service(1)));
    assertThat(refusal).hasMessageContaining("matches tags of RC only");
  }

  @Test
  void aQueuePairWithAnUnknownReceiveQueueIsRefused() {
    RawXrq xrq = xrq();
    HcaException refusal =
        Rig.refused(
            () -> rig.qp(xrq.plan().change(q -> xrq.receiving(q).set(Qpc.SRQN_RMPN_XRQN, 0x7777))));
    assertThat(refusal).hasMessageContaining("0x7777 does not name a receive pool or XRQ");
  }

  @Test
  void onlyRendezvousOfAQueuePairWithNoSqIsOffloaded() {
    RawXrq xrq = xrq();
    assertThat(xrq.offloaded().query().getInt(Qpc.OFFLOAD_TYPE)).isEqualTo(1);
    assertThat(
            Rig.refused(
                () -> rig.qp(xrq.plan().change(q -> xrq.receiving(q).set(Qpc.OFFLOAD_TYPE, 1)))))
        .hasMessageContaining("needs no_sq");
    assertThat(
            Rig.refused(
                () -> rig.qp(xrq.plan().change(q -> xrq.receiving(q).set(Qpc.OFFLOAD_TYPE, 2)))))
        .hasMessageContaining("offload_type 2");
  }
}
