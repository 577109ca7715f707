package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.DataSegment;

/**
 * A shared receive queue of XRC, written by hand, with its domain and queue pairs: its WQEs are
 * linked in the order of their slots.
 */
public final class RawXrcSrq {
  public static final int USER_INDEX = 0x55;

  private static final int XRC = 3;
  private static final int LOG_STRIDE = 6;

  private final HcaObject xrcd;
  private final HcaObject domain;
  private final RawCq cq;
  private final int logSize;
  private final QueueMemory memory;
  private final HcaObject object;
  private int posted;

  /**
   * @param domain protection domain
   */
  public RawXrcSrq(Rig rig, HcaObject xrcd, HcaObject domain, RawCq cq, int logSize) {
    this.xrcd = xrcd;
    this.domain = domain;
    this.cq = cq;
    this.logSize = logSize;
    memory = new QueueMemory(rig.nic(), 1L << logSize + LOG_STRIDE);
    object = rig.nic().create(command().bytes());
  }

  public RawXrcSrq(Rig rig, HcaObject xrcd) {
    this(rig, xrcd, rig.domain(), rig.cq(6), 3);
  }

  /** A new XRC domain. */
  public static HcaObject domain(Rig rig) {
    return rig.nic().create(View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD).bytes());
  }

  /** An initiator, which is in no XRC domain. */
  public static RawQp initiator(Rig rig) {
    return rig.qp(initiatorPlan(rig.cq(6)));
  }

  public static RawQpPlan initiatorPlan(RawCq cq) {
    return new RawQpPlan(cq)
        .service(XRC)
        .withoutReceives()
        .change(qpc -> qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED));
  }

  /** A target without memory and doorbells, as Linux creates one. */
  public static RawQp target(Rig rig, HcaObject xrcd) {
    HcaObject own = rig.nic().allocateProtectionDomain();
    return rig.qp(
        new RawQpPlan(rig.cq(0))
            .service(XRC)
            .withoutReceives()
            .change(
                qpc ->
                    qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
                        .set(Qpc.NO_SQ, true)
                        .set(Qpc.PD, own.number())
                        .set(Qpc.XRCD, xrcd.number())
                        .set(Qpc.UAR_PAGE, 0)
                        .set(Qpc.DBR_UMEM_VALID, false)
                        .set(Qpc.DBR_UMEM_ID, 0)
                        .set(Qpc.DBR_ADDR, 0)));
  }

  /** The command that creates a queue in this one's memory. */
  public View command() {
    View command = View.command(CreateXrcSrqIn.STRUCTURE, CommandOpcode.CREATE_XRC_SRQ);
    command
        .set(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID, true)
        .set(XrcSrqUmems.WQ_UMEM_ID, memory.umem().number())
        .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
        .set(XrcSrqc.LOG_XRC_SRQ_SIZE, logSize)
        .set(XrcSrqc.LOG_RQ_STRIDE, LOG_STRIDE - 4)
        .set(XrcSrqc.XRCD, xrcd.number())
        .set(XrcSrqc.PD, domain.number())
        .set(XrcSrqc.CQN, cq.number())
        .set(XrcSrqc.USER_INDEX, USER_INDEX)
        .set(XrcSrqc.DBR_UMEM_VALID, true)
        .set(XrcSrqUmems.DBR_UMEM_ID, memory.umem().number())
        .set(XrcSrqUmems.DBR_ADDR, memory.recordOffset());
    return command;
  }

  /** The context of a command. */
  public static View context(View command) {
    return command.at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY);
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  public RawCq cq() {
    return cq;
  }

  /** Posts a receive of one segment. */
  public void receive(long address, int bytes, int lkey) {
    int slot = posted & (1 << logSize) - 1;
    long at = memory.address() + ((long) slot << LOG_STRIDE);
    Memory.putLong(at, (long) (slot + 1) << 32);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + 16, DataSegment.first(bytes, lkey));
    Memory.putLong(at + 24, address);
    Memory.putLong(at + 32, DataSegment.first(0, DataSegment.INVALID_LKEY));
    Memory.putLong(at + 40, 0);
    posted++;
    writeRecord(posted);
  }

  /** Posts this many WQEs. */
  public void writeRecord(int counter) {
    Memory.putIntRelease(memory.record(), counter & 0xffff);
  }

  /** Posts a receive without memory. */
  public void receiveNothing() {
    receive(0, 0, DataSegment.INVALID_LKEY);
  }

  /** The command that arms the event for fewer available WQEs than this. */
  public View limit(int wqes) {
    return View.command(ArmXrcSrqIn.STRUCTURE, CommandOpcode.ARM_XRC_SRQ)
        .set(CmdIn.OP_MOD, ArmXrcSrqIn.OP_MOD_XRC_SRQ)
        .set(ArmXrcSrqIn.XRC_SRQN, number())
        .set(ArmXrcSrqIn.LWM, wqes);
  }

  /** The context as the device reports it. */
  public View query() {
    byte[] command =
        View.command(QueryXrcSrqIn.STRUCTURE, CommandOpcode.QUERY_XRC_SRQ)
            .set(QueryXrcSrqIn.XRC_SRQN, number())
            .bytes();
    return View.over(object.query(command)).at(QueryXrcSrqOut.XRC_SRQ_CONTEXT_ENTRY);
  }

  public void expectCanaries() {
    memory.expectCanaries();
  }
}
