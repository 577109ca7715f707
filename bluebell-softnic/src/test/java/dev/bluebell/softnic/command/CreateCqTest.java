package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.Rig;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CREATE_CQ, MODIFY_CQ, QUERY_CQ and the destruction of completion queues. */
class CreateCqTest extends Refusals {

  private static View cqc(View command) {
    return command.at(CreateCqIn.CQ_CONTEXT);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> cqc(c).set(Cqc.LOG_CQ_SIZE, 23), "log_cq_size 23", "log_max_cq_sz 22"),
        Case.badParam(c -> cqc(c).set(Cqc.CQE_SZ, 2), "cqe_sz 2"),
        Case.badParam(
            c -> cqc(c).set(Cqc.CQE_COMP_EN, true).set(Cqc.CQE_COMPRESSION_LAYOUT, 2),
            "cqe_compression_layout 2"),
        Case.badParam(
            c -> cqc(c).set(Cqc.CQE_COMPRESSION_LAYOUT, 1),
            "cqe_compression_layout is 1 but cqe_comp_en is 0"),
        Case.badParam(
            c -> cqc(c).set(Cqc.CQE_COMP_EN, true).set(Cqc.MINI_CQE_RES_FORMAT, 2),
            "mini_cqe_res_format 2",
            "flow tags"),
        Case.badParam(
            c -> cqc(c).set(Cqc.CQE_COMP_EN, true).set(Cqc.MINI_CQE_RES_FORMAT_EXT, 1),
            "with ext 1"),
        Case.badParam(
            c -> cqc(c).set(Cqc.CC, true).set(Cqc.CQE_COMP_EN, true),
            "cc is 1 and cqe_comp_en is 1"),
        Case.badResource(c -> cqc(c).set(Cqc.C_EQN, 0), "c_eqn 0"),
        Case.badResource(c -> cqc(c).set(Cqc.C_EQN, 5), "c_eqn 5"),
        Case.badResource(c -> cqc(c).set(Cqc.UAR_PAGE, 0x7777), "uar_page 30583"),
        Case.badParam(c -> c.set(CreateCqIn.CQ_UMEM_VALID, false), "cq_umem_valid is 0"),
        Case.badResource(c -> c.set(CreateCqIn.CQ_UMEM_ID, 0x7777), "cq_umem_id 0x7777"),
        Case.badParam(c -> c.set(CreateCqIn.CQ_UMEM_OFFSET, 1 << 20), "cq:", "offset 0x100000"),
        Case.badParam(c -> c.set(CreateCqIn.CQ_UMEM_OFFSET, -64), "cq:", "offset"),
        Case.badParam(
            c -> c.set(CreateCqIn.CQ_UMEM_OFFSET, 8),
            "cq:",
            "0x8",
            "multiple of 64",
            "cq_umem_offset"),
        Case.badParam(c -> cqc(c).set(Cqc.PAGE_OFFSET, 63), "cq:", "offset 0xfc0", "page_offset"),
        Case.badParam(
            c -> cqc(c).set(Cqc.LOG_CQ_SIZE, 9), "cq:", "32768 bytes", "cq_umem_id", "log_cq_size"),
        Case.badParam(c -> cqc(c).set(Cqc.DBR_UMEM_VALID, false), "dbr_umem_valid is 0"),
        Case.badParam(c -> cqc(c).set(Cqc.CQ_PERIOD_MODE, 2), "cq_period_mode 2"),
        Case.badResource(c -> cqc(c).set(Cqc.DBR_UMEM_ID, -1 & 0xffffffffL), "dbr_umem_id"),
        Case.badParam(
            c -> cqc(c).set(Cqc.DBR_ADDR, 1 << 20), "dbr:", "offset 0x100000", "dbr_addr"),
        Case.badParam(c -> cqc(c).set(Cqc.DBR_ADDR, -8), "dbr:", "dbr_addr"),
        Case.badParam(
            c -> cqc(c).set(Cqc.DBR_ADDR, 4), "dbr:", "0x4", "multiple of 8", "dbr_addr"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    expectRefused(wrong, rig.cq(4).command(), rig.nic()::create);
  }

  @Test
  void theContextIsKept() {
    RawCq cq =
        new RawCq(
            rig, 3, rig.uar(), context -> context.set(Cqc.CQ_PERIOD, 7).set(Cqc.CQ_MAX_COUNT, 9));
    View context = cq.query();
    assertThat(context.getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(3);
    assertThat(context.getInt(Cqc.UAR_PAGE)).isEqualTo(rig.uar().number());
    assertThat(context.getInt(Cqc.CQ_PERIOD)).isEqualTo(7);
    assertThat(context.getInt(Cqc.CQ_MAX_COUNT)).isEqualTo(9);
  }

  private View modify(RawCq cq) {
    View command =
        View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
            .set(ModifyCqIn.CQN, cq.number())
            .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 3);
    command.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.CQ_PERIOD, 11).set(Cqc.CQ_MAX_COUNT, 12);
    return command;
  }

  @Test
  void moderationCanBeChanged() {
    RawCq cq = rig.cq(3);
    cq.object().modify(modify(cq).bytes());
    assertThat(cq.query().getInt(Cqc.CQ_PERIOD)).isEqualTo(11);
    assertThat(cq.query().getInt(Cqc.CQ_MAX_COUNT)).isEqualTo(12);
  }

  static Stream<Case> changes() {
    return Stream.of(
        Case.badParam(c -> c.set(CmdIn.OP_MOD, 2), "op_mod 2", "resize"),
        Case.badParam(c -> c.set(CmdIn.OP_MOD, 1), "resize_field_select 0x3"),
        Case.badParam(
            c -> c.set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 4),
            "modify_field_select 0x4"),
        Case.badParam(
            c -> {
              c.set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 16);
              c.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.CQ_PERIOD_MODE, 3);
            },
            "cq_period_mode 3"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void otherChangesAreRefused(Case wrong) {
    RawCq cq = rig.cq(3);
    expectRefused(wrong, modify(cq), cq.object()::modify);
  }

  static Stream<Case> resizes() {
    return Stream.of(
        Case.badParam(
            c -> c.set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 1),
            "resize_field_select 0x1"),
        Case.badParam(c -> c.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.LOG_CQ_SIZE, 23), "log_cq_size 23"),
        Case.badParam(c -> c.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.CQE_SZ, 1), "cqe_sz 1"),
        Case.badParam(c -> c.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.LOG_CQ_SIZE, 6), "log_cq_size"),
        Case.badParam(c -> c.set(ModifyCqIn.CQ_UMEM_VALID, false), "cq_umem_valid"));
  }

  @ParameterizedTest
  @MethodSource("resizes")
  void malformedResizesAreRefused(Case wrong) {
    RawCq cq = rig.cq(3);
    expectRefused(wrong, cq.resizing(4), cq.object()::modify);
  }

  @Test
  void aCollapsedQueueKeepsItsRing() {
    RawCq cq = new RawCq(rig, 3, rig.uar(), context -> context.set(Cqc.CC, true));
    expectRefused(
        Case.badParam(c -> {}, "CQ 0x%x is collapsed".formatted(cq.number())),
        cq.resizing(4),
        cq.object()::modify);
  }

  @Test
  void aQueueInUseCannotBeDestroyed() {
    RawCq cq = rig.cq(3);
    HcaObject qp = rig.qp(cq).object();
    HcaException refusal = Rig.refused(() -> cq.object().close());
    assertThat(refusal.status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(refusal)
        .hasMessageContaining("CQ 0x%x still serves queues (2)".formatted(cq.number()));
    qp.close();
    cq.object().close();
    cq.object().close();
  }

  private HcaUmem umem(int bytes) {
    return rig.nic().registerUmem(rig.memory(bytes).segment());
  }

  private static void expectBusy(HcaUmem umem) {
    HcaException refusal = Rig.refused(umem::close);
    assertThat(refusal.status()).isEqualTo(CommandStatus.RES_BUSY);
  }

  @Test
  void umemsOfTheRingAndOfTheDoorbellRecordAreInUseUntilTheQueueIsDestroyed() {
    HcaUmem ring = umem(8 * Cqe.BYTES);
    HcaUmem record = umem(DoorbellRecord.BYTES);
    View command = rig.cq(3).command().set(CreateCqIn.CQ_UMEM_ID, ring.number());
    cqc(command).set(Cqc.DBR_UMEM_ID, record.number()).set(Cqc.DBR_ADDR, 0);
    HcaObject cq = rig.nic().create(command.bytes());
    expectBusy(ring);
    expectBusy(record);
    cq.close();
    ring.close();
    record.close();
  }

  @Test
  void theUmemOfTheRingIsInUseUntilTheQueueHasAnotherRing() {
    HcaUmem ring = umem(8 * Cqe.BYTES);
    HcaUmem next = umem(16 * Cqe.BYTES);
    View command = rig.cq(3).command().set(CreateCqIn.CQ_UMEM_ID, ring.number());
    HcaObject cq = rig.nic().create(command.bytes());
    View resizing = rig.cq(3).resizing(4).set(ModifyCqIn.CQN, cq.number());
    cq.modify(resizing.set(CreateCqIn.CQ_UMEM_ID, next.number()).bytes());
    ring.close();
    expectBusy(next);
    cq.close();
    next.close();
  }
}
