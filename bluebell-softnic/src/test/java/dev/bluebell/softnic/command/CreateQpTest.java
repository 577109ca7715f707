package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CREATE_QP and the destruction of queue pairs. */
class CreateQpTest extends Refusals {

  private static View qpc(View command) {
    return command.at(CreateQpIn.QPC);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> qpc(c).set(Qpc.ST, 4), "st 0x4"),
        Case.badParam(c -> qpc(c).set(Qpc.ST, 3), "rq_type 0", "XRC"),
        Case.badResource(
            c -> qpc(c).set(Qpc.ST, 3).set(Qpc.RQ_TYPE, 1).set(Qpc.XRCD, 0x7777), "xrcd 0x7777"),
        Case.badParam(c -> qpc(c).set(Qpc.RQ_TYPE, 2), "rq_type 2"),
        Case.badParam(c -> qpc(c).set(Qpc.SEND_DBR_MODE, 1), "send_dbr_mode 1"),
        Case.badParam(
            c -> qpc(c).set(Qpc.WQ_SIGNATURE, true), "log_rq_stride 0: with wq_signature"),
        Case.badParam(
            c -> qpc(c).set(Qpc.CD_MASTER, true).set(Qpc.NO_SQ, true), "cd_master is 1", "no_sq"),
        Case.badParam(
            c -> qpc(c).set(Qpc.CD_SLAVE_SEND, true).set(Qpc.NO_SQ, true),
            "cd_slave_send is 1",
            "no_sq"),
        Case.badParam(
            c -> qpc(c).set(Qpc.CD_SLAVE_RECEIVE, true).set(Qpc.RQ_TYPE, 3),
            "cd_slave_receive is 1",
            "rq_type 3"),
        Case.badParam(c -> qpc(c).set(Qpc.OFFLOAD_TYPE, 1), "offload_type is rendezvous (1)"),
        Case.badParam(c -> qpc(c).set(Qpc.CS_REQ, 1), "cs_req 0x1 is not valid"),
        Case.badParam(c -> qpc(c).set(Qpc.CS_RES, 3), "cs_res 0x3 is not valid"),
        Case.badParam(c -> qpc(c).set(Qpc.CS_REQ, 0x22), "cs_req 0x22", "cqn_snd", "cqe_sz 0"),
        Case.badParam(c -> qpc(c).set(Qpc.CS_RES, 2), "cs_res 2", "cqn_rcv", "cqe_sz 0"),
        Case.badParam(c -> qpc(c).set(Qpc.ST, 1).set(Qpc.CS_REQ, 0x11), "cs_req 0x11", "UC"),
        Case.badParam(c -> qpc(c).set(Qpc.ST, 2).set(Qpc.CS_RES, 1), "cs_res 1", "datagrams"),
        Case.badParam(
            c -> qpc(c).set(Qpc.ST, 3).set(Qpc.RQ_TYPE, 1).set(Qpc.CS_RES, 1), "cs_res 1", "XRC"),
        Case.badResource(c -> qpc(c).set(Qpc.PD, 0x7777), "pd 0x7777"),
        Case.badResource(c -> qpc(c).set(Qpc.UAR_PAGE, 0x7777), "uar_page 30583"),
        Case.badResource(c -> qpc(c).set(Qpc.CQN_SND, 0x7777), "cqn_snd 0x7777"),
        Case.badResource(c -> qpc(c).set(Qpc.CQN_RCV, 0x7777), "cqn_rcv 0x7777"),
        Case.badResource(
            c -> qpc(c).set(Qpc.RQ_TYPE, 1).set(Qpc.SRQN_RMPN_XRQN, 0x7777),
            "srqn_rmpn_xrqn 0x7777"),
        Case.badParam(c -> c.set(CreateQpIn.WQ_UMEM_VALID, false), "wq_umem_valid is 0"),
        Case.badResource(c -> c.set(CreateQpIn.WQ_UMEM_ID, 0x7777), "wq_umem_id 0x7777"),
        Case.badParam(c -> c.set(CreateQpIn.WQ_UMEM_OFFSET, 1 << 20), "wq:", "offset 0x100000"),
        Case.badParam(c -> c.set(CreateQpIn.WQ_UMEM_OFFSET, 8), "wq:", "0x8", "multiple of 16"),
        Case.badParam(c -> qpc(c).set(Qpc.PAGE_OFFSET, 63), "wq:", "offset 0xfc0", "page_offset"),
        Case.badParam(c -> qpc(c).set(Qpc.LOG_SQ_SIZE, 15), "wq:", "log_sq_size"),
        Case.badParam(c -> qpc(c).set(Qpc.LOG_RQ_SIZE, 15), "wq:", "log_rq_size"),
        Case.badParam(c -> qpc(c).set(Qpc.LOG_RQ_STRIDE, 7), "wq:", "log_rq_stride"),
        Case.badParam(c -> qpc(c).set(Qpc.DBR_UMEM_VALID, false), "dbr_umem_valid is 0"),
        Case.badResource(c -> qpc(c).set(Qpc.DBR_UMEM_ID, 0x7777), "dbr_umem_id 0x7777"),
        Case.badParam(
            c -> qpc(c).set(Qpc.DBR_ADDR, 1 << 20), "dbr:", "offset 0x100000", "dbr_addr"),
        Case.badParam(c -> qpc(c).set(Qpc.DBR_ADDR, 4), "dbr:", "0x4", "multiple of 8"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    expectRefused(wrong, rig.qp(rig.cq(4)).command(), rig.nic()::create);
  }

  @Test
  void theContextIsKept() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(4)).userIndex(0xabcdef));
    View context = qp.query();
    assertThat(context.getInt(Qpc.STATE)).isZero();
    assertThat(context.getInt(Qpc.USER_INDEX)).isEqualTo(0xabcdef);
    assertThat(context.getInt(Qpc.LOG_SQ_SIZE)).isEqualTo(4);
    assertThat(context.getInt(Qpc.CQN_SND)).isEqualTo(qp.sends().number());
  }

  @Test
  void numbersAreNotUsedAgainSoon() {
    RawQp first = rig.qp(rig.cq(4));
    first.object().close();
    assertThat(rig.qp(rig.cq(4)).number()).isNotEqualTo(first.number());
  }

  @Test
  void destroyingAQueuePairReleasesTheObjectsThatItUses() {
    RawPool pool = new RawPool(rig, false, 3);
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(4)).pool(pool));
    HcaException refusal = Rig.refused(() -> pool.object().close());
    assertThat(refusal.status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(refusal).hasMessageContaining("still serves queue pairs (1)");
    assertThat(Rig.refused(() -> rig.domain().close()).status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(Rig.refused(() -> rig.uar().close()))
        .hasMessageContaining("still serves queues (2)");
    qp.object().close();
    qp.sends().object().close();
    pool.object().close();
    rig.uar().close();
    rig.domain().close();
  }

  @Test
  void aUmemInUseCannotBeClosed() {
    rig.qp(rig.cq(4));
    var umem = rig.nic().registerUmem(rig.memory(4096).segment());
    umem.close();
    umem.close();
    var key = new RawKey(rig, rig.memory(64));
    assertThat(Rig.refused(() -> key.umem().close()))
        .hasMessageContaining("umem %d still holds 1".formatted(key.umem().number()));
    key.object().close();
    key.umem().close();
  }
}
