package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.RmpBitmask;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CREATE_RMP and MODIFY_RMP. */
class CreateRmpTest extends Refusals {

  private static View rmpc(View command) {
    return command.at(CreateRmpIn.CTX);
  }

  private static View wq(View command) {
    return rmpc(command).at(Rmpc.WQ);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> rmpc(c).set(Rmpc.STATE, 0), "state 0"),
        Case.badParam(c -> wq(c).set(Wq.WQ_TYPE, 4), "wq_type 4"),
        Case.badParam(
            c -> wq(c).set(Wq.WQ_TYPE, 3).set(Wq.LOG_WQE_NUM_OF_STRIDES, 9),
            "log_wqe_num_of_strides 0x9"),
        Case.badParam(
            c -> wq(c).set(Wq.WQ_TYPE, 2).set(Wq.TWO_BYTE_SHIFT_EN, true),
            "two_byte_shift_en is 1"),
        Case.badParam(c -> wq(c).set(Wq.LOG_WQ_STRIDE, 4), "log_wq_stride 4"),
        Case.badParam(c -> wq(c).set(Wq.LOG_WQ_STRIDE, 10), "log_wq_stride 10"),
        Case.badParam(c -> wq(c).set(Wq.LOG_WQ_SZ, 16), "log_wq_sz 16"),
        Case.badResource(c -> wq(c).set(Wq.PD, 0x7777), "pd 0x7777"),
        Case.badParam(c -> wq(c).set(Wq.WQ_UMEM_VALID, false), "wq_umem_valid is 0"),
        Case.badResource(c -> wq(c).set(Wq.WQ_UMEM_ID, 0x7777), "wq_umem_id 0x7777"),
        Case.badParam(c -> wq(c).set(Wq.WQ_UMEM_OFFSET, 1 << 20), "wq:", "offset 0x100000"),
        Case.badParam(c -> wq(c).set(Wq.WQ_UMEM_OFFSET, 8), "wq:", "0x8", "multiple of 16"),
        Case.badParam(c -> wq(c).set(Wq.PAGE_OFFSET, 31), "wq:", "offset 0x7c0", "page_offset"),
        Case.badParam(c -> wq(c).set(Wq.LOG_WQ_SZ, 15), "wq:", "log_wq_sz"),
        Case.badParam(c -> wq(c).set(Wq.DBR_UMEM_VALID, false), "dbr_umem_valid is 0"),
        Case.badResource(c -> wq(c).set(Wq.DBR_UMEM_ID, 0x7777), "dbr_umem_id 0x7777"),
        Case.badParam(c -> wq(c).set(Wq.DBR_ADDR, 1 << 20), "dbr:", "offset 0x100000", "dbr_addr"),
        Case.badParam(c -> wq(c).set(Wq.DBR_ADDR, 2), "dbr:", "0x2", "multiple of 4"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    expectRefused(wrong, new RawPool(rig, false, 3).command(), rig.nic()::create);
  }

  @Test
  void changingTheStateOfAPoolIsRefused() {
    RawPool pool = new RawPool(rig, false, 3);
    expectRefused(
        Case.of(c -> c.set(ModifyRmpIn.RMP_STATE, 3), CommandStatus.BAD_RES_STATE, "rmp_state 3"),
        pool.limit(1),
        pool.object()::modify);
  }

  @Test
  void aPoolMayBeCreatedWithALimit() {
    RawPool pool = new RawPool(rig, false, 3, wq -> wq.set(Wq.LWM, 2));
    assertThat(pool.context().getInt(Wq.LWM)).isEqualTo(2);
  }

  @Test
  void aChangeThatSelectsNothingChangesNothing() {
    RawPool pool = new RawPool(rig, false, 3);
    View command = pool.limit(5);
    command.at(ModifyRmpIn.BITMASK).set(RmpBitmask.LWM, false);
    pool.object().modify(command.bytes());
    assertThat(pool.context().getInt(Wq.LWM)).isZero();
    assertThat(rig.explanations()).isEmpty();
  }
}
