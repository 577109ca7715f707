package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands about XRC domains and shared receive queues of XRC. */
class XrcCommandsTest extends Refusals {

  private static View srqc(View command) {
    return RawXrcSrq.context(command);
  }

  static Stream<Case> mistakes() {
    return Stream.of(
        Case.badParam(c -> srqc(c).set(XrcSrqc.STATE, 1), "state is 1"),
        Case.badParam(c -> srqc(c).set(XrcSrqc.CONT_SRQ, true), "cont_srq is 1"),
        Case.badParam(c -> srqc(c).set(XrcSrqc.LOG_RQ_STRIDE, 0), "log_rq_stride 0"),
        Case.badParam(c -> srqc(c).set(XrcSrqc.LOG_RQ_STRIDE, 6), "log_rq_stride 6"),
        Case.badResource(c -> srqc(c).set(XrcSrqc.PD, 0x7777), "pd 0x7777"),
        Case.badResource(c -> srqc(c).set(XrcSrqc.XRCD, 0x7777), "xrcd 0x7777"),
        Case.badResource(c -> srqc(c).set(XrcSrqc.XRCD, 0), "xrcd 0x0"),
        Case.badResource(c -> srqc(c).set(XrcSrqc.CQN, 0x7777), "cqn 0x7777"),
        Case.badParam(
            c -> c.set(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID, false), "xrc_srq_umem_valid is 0"),
        Case.badResource(c -> c.set(XrcSrqUmems.WQ_UMEM_ID, 0x7777), "xrc_srq_umem_id 0x7777"),
        Case.badParam(
            c -> c.set(XrcSrqUmems.WQ_UMEM_OFFSET, 1 << 20), "xrc_srq:", "offset 0x100000"),
        Case.badParam(
            c -> c.set(XrcSrqUmems.WQ_UMEM_OFFSET, 8), "xrc_srq:", "0x8", "multiple of 16"),
        Case.badParam(c -> srqc(c).set(XrcSrqc.PAGE_OFFSET, 31), "xrc_srq:", "page_offset"),
        Case.badParam(c -> srqc(c).set(XrcSrqc.LOG_XRC_SRQ_SIZE, 15), "log_xrc_srq_size"),
        Case.badParam(c -> srqc(c).set(XrcSrqc.DBR_UMEM_VALID, false), "dbr_umem_valid is 0"),
        Case.badResource(c -> srqc(c).set(XrcSrqUmems.DBR_UMEM_ID, 0x7777), "dbr_umem_id 0x7777"),
        Case.badParam(c -> srqc(c).set(XrcSrqUmems.DBR_ADDR, 1 << 20), "dbr:", "offset 0x100000"),
        Case.badParam(c -> srqc(c).set(XrcSrqUmems.DBR_ADDR, 2), "dbr:", "multiple of 4"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(Case wrong) {
    RawXrcSrq srq = new RawXrcSrq(rig, RawXrcSrq.domain(rig));
    expectRefused(wrong, srq.command(), rig.nic()::create);
  }

  @Test
  void theContextIsKeptAndHoldsTheLimit() {
    RawXrcSrq srq = new RawXrcSrq(rig, RawXrcSrq.domain(rig));
    assertThat(srq.query().getInt(XrcSrqc.USER_INDEX)).isEqualTo(RawXrcSrq.USER_INDEX);
    assertThat(srq.query().getInt(XrcSrqc.LWM)).isZero();
    srq.object().modify(srq.limit(5).bytes());
    assertThat(srq.query().getInt(XrcSrqc.LWM)).isEqualTo(5);
  }

  @Test
  void aQueueMayBeCreatedWithALimit() {
    View command = new RawXrcSrq(rig, RawXrcSrq.domain(rig)).command();
    srqc(command).set(XrcSrqc.LWM, 3);
    assertThat(rig.nic().create(command.bytes()).number()).isPositive();
  }

  @Test
  void anUnknownOpModOfArmIsRefused() {
    RawXrcSrq srq = new RawXrcSrq(rig, RawXrcSrq.domain(rig));
    expectRefused(
        Case.badParam(c -> c.set(CmdIn.OP_MOD, 2), "op_mod 2"), srq.limit(1), srq.object()::modify);
  }

  @Test
  void aNumberBelongsToOneSharedReceiveQueueOnly() {
    RawPool pool = new RawPool(rig, true, 2);
    RawXrcSrq srq = new RawXrcSrq(rig, RawXrcSrq.domain(rig));
    assertThat(srq.number()).isNotEqualTo(pool.number());
  }

  private static void expectBusy(HcaObject object, String named) {
    HcaException refusal = Rig.refused(object::close);
    assertThat(refusal.status()).isEqualTo(CommandStatus.RES_BUSY);
    assertThat(refusal).hasMessageContaining(named);
  }

  @Test
  void anObjectInUseIsBusyUntilItsUsersAreDestroyed() {
    HcaObject xrcd = RawXrcSrq.domain(rig);
    HcaObject domain = rig.nic().allocateProtectionDomain();
    RawXrcSrq srq = new RawXrcSrq(rig, xrcd, domain, rig.cq(4), 3);
    RawQp target = RawXrcSrq.target(rig, xrcd);
    expectBusy(xrcd, "still has queue pairs or XRC SRQs (2)");
    expectBusy(domain, "still has queue pairs, shared receive queues or memory keys (1)");
    expectBusy(srq.cq().object(), "still serves queues (1)");
    srq.object().close();
    expectBusy(xrcd, "still has queue pairs or XRC SRQs (1)");
    target.object().close();
    xrcd.close();
    domain.close();
    srq.cq().object().close();
  }

  /** Counts allocated bytes: a visit of all queue pairs begins with a list of them. */
  @Test
  void destroyingAQueueCostsNoMoreForTheQueuePairsOfTheDevice() {
    RawXrcSrq srq = new RawXrcSrq(rig, RawXrcSrq.domain(rig));
    long alone = leastBytesOfDestroying(srq);
    byte[] command = rig.qp(rig.cq(4)).command().bytes();
    for (int i = 0; i < 1000; i++) {
      rig.nic().create(command);
    }
    assertThat(leastBytesOfDestroying(srq)).isLessThan(alone + 1000);
  }

  private long leastBytesOfDestroying(RawXrcSrq model) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      HcaObject queue = rig.nic().create(model.command().bytes());
      long before = threads.getCurrentThreadAllocatedBytes();
      queue.close();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  @Test
  void anInitiatorMayBeInADomain() {
    HcaObject xrcd = RawXrcSrq.domain(rig);
    View command = RawXrcSrq.initiator(rig).command();
    command.at(CreateQpIn.QPC).set(Qpc.XRCD, xrcd.number());
    HcaObject initiator = rig.nic().create(command.bytes());
    expectBusy(xrcd, "still has queue pairs or XRC SRQs (1)");
    initiator.close();
    xrcd.close();
  }
}
