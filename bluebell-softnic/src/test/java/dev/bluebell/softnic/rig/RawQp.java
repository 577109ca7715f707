package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Qp2ErrIn;
import dev.bluebell.hca.command.QpTransitions.Qp2rstIn;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A queue pair, written by hand. */
public final class RawQp {
  private final Rig rig;
  private final RawQpPlan plan;
  private final HcaUar uar;
  private final QueueMemory memory;
  private final HcaObject object;
  private int producer;
  private int receives;

  RawQp(Rig rig, RawQpPlan plan) {
    this.rig = rig;
    this.plan = plan;
    uar = plan.uar == null ? rig.uar() : plan.uar;
    memory = new QueueMemory(rig.nic(), receiveBytes() + (64L << plan.logSends));
    object = rig.nic().create(command().bytes());
  }

  private long receiveBytes() {
    return hasReceives() ? 1L << plan.logReceives + plan.logStride : 0;
  }

  /** True when it has a receive queue of its own. */
  public boolean hasReceives() {
    return plan.pool == null && !plan.withoutReceives;
  }

  /** The command that creates a queue pair in this one's memory. */
  public View command() {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command.set(CreateQpIn.WQ_UMEM_ID, memory.umem().number()).set(CreateQpIn.WQ_UMEM_VALID, true);
    View qpc = command.at(CreateQpIn.QPC);
    qpc.set(Qpc.ST, plan.service)
        .set(Qpc.PD, rig.domain().number())
        .set(Qpc.LOG_SQ_SIZE, plan.logSends)
        .set(Qpc.UAR_PAGE, uar.number())
        .set(Qpc.USER_INDEX, plan.userIndex)
        .set(Qpc.CQN_SND, plan.sends.number())
        .set(Qpc.CQN_RCV, plan.receives.number())
        .set(Qpc.DBR_UMEM_ID, memory.umem().number())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, memory.recordOffset());
    if (plan.pool != null) {
      qpc.set(Qpc.RQ_TYPE, 1).set(Qpc.SRQN_RMPN_XRQN, plan.pool.number());
    } else if (plan.withoutReceives) {
      qpc.set(Qpc.RQ_TYPE, 3);
    } else {
      qpc.set(Qpc.LOG_RQ_SIZE, plan.logReceives).set(Qpc.LOG_RQ_STRIDE, plan.logStride - 4);
    }
    plan.change.accept(qpc);
    return command;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  public RawCq sends() {
    return plan.sends;
  }

  public RawCq receives() {
    return plan.receives;
  }

  // ---- states

  /**
   * Moves it to RTS.
   *
   * @param copies whether it may copy: one INIT2INIT_QP each
   */
  public void connect(int remoteQpn, Settings settings, boolean... copies) {
    object.modify(settings.toInit(number()).bytes());
    for (boolean allowed : copies) {
      object.modify(allowing(allowed));
    }
    object.modify(settings.toRtr(number(), remoteQpn).bytes());
    object.modify(settings.toRts(number()).bytes());
  }

  // In the form that libmlx5 sends: the structure, followed by the extended context.
  private byte[] allowing(boolean copies) {
    byte[] command =
        Arrays.copyOf(
            View.command(Init2initQpIn.STRUCTURE, CommandOpcode.INIT2INIT_QP)
                .set(Init2initQpIn.QPN, number())
                .set(Init2initQpIn.QPC_EXT, true)
                .bytes(),
            464);
    View.over(command)
        .set(Init2initQpIn.OPT_PARAM_MASK_95_32, QpcExt.OPT_MASK_MMO)
        .at(Init2initQpIn.QPC_DATA_EXT)
        .set(QpcExt.MMO, copies);
    return command;
  }

  public void toError() {
    object.modify(
        View.command(Qp2ErrIn.STRUCTURE, CommandOpcode.QP_2ERR)
            .set(Qp2ErrIn.QPN, number())
            .bytes());
  }

  /** Resets it and starts at index 0 again, the doorbell record included. */
  public void reset() {
    object.modify(
        View.command(Qp2rstIn.STRUCTURE, CommandOpcode.QP_2RST)
            .set(Qp2rstIn.QPN, number())
            .bytes());
    producer = 0;
    receives = 0;
    Memory.putLong(record(), 0);
  }

  /** A transition without attributes, such as INIT2INIT_QP: all have one layout. */
  public View transition(int opcode) {
    return View.command(Init2initQpIn.STRUCTURE, opcode).set(Init2initQpIn.QPN, number());
  }

  /** The context as the device reports it. */
  public View query() {
    byte[] command =
        View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
            .set(QueryQpIn.QPN, number())
            .bytes();
    return View.over(object.query(command)).at(QueryQpOut.QPC);
  }

  public int state() {
    return query().getInt(Qpc.STATE);
  }

  // ---- sends

  /** Index of the next WQE, 16 bits. */
  public int index() {
    return producer & 0xffff;
  }

  /** Address of the WQEBB of an index. */
  public long wqebb(int index) {
    return memory.address() + receiveBytes() + ((long) (index & (1 << plan.logSends) - 1) << 6);
  }

  /** Writes a WQE into the ring, without record or doorbell; returns its index. */
  public int write(Wqe wqe) {
    byte[] bytes = wqe.bytes(producer, number());
    writeBytes(producer, bytes);
    int index = producer;
    producer += Math.max(1, ControlSegment.wqebbs(wqe.length() / 16));
    return index & 0xffff;
  }

  /** Writes bytes from the WQEBB of an index on, around the end of the ring. */
  public void writeBytes(int index, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      Memory.putByte(wqebb(index + i / 64) + i % 64, bytes[i]);
    }
  }

  /** Advances the producer without writing anything. */
  public void skip(int wqebbs) {
    producer += wqebbs;
  }

  public void writeRecord() {
    writeRecord(producer);
  }

  public void writeRecord(int counter) {
    Memory.putIntRelease(record() + DoorbellRecord.SEND, counter & 0xffff);
  }

  /** Rings another BlueFlame register than the page's first. */
  public void ringOn(int register, int index) {
    Memory.putLongRelease(
        uar.address() + Uar.BLUEFLAME + (long) register * Uar.BLUEFLAME_REGISTER_BYTES,
        Memory.getLong(wqebb(index)));
  }

  /** Writes the doorbell register, for the WQE at an index. */
  public void ring(int index) {
    ring(Memory.getLong(wqebb(index)));
  }

  public void ring(long first) {
    Memory.putLongRelease(uar.address() + Uar.BLUEFLAME, first);
  }

  /** Writes a WQE, its record and its doorbell; returns its index. */
  public int post(Wqe wqe) {
    int index = write(wqe);
    writeRecord();
    ring(index);
    return index;
  }

  /** Registers its rings and its record, so that requests may write them; returns the key. */
  public int register() {
    MemorySegment all = memory.segment();
    return rig.nic().registerMemory(rig.domain(), all, all.address(), HcaAccess.ALL).lkey();
  }

  /** Address of the doorbell record. */
  public long record() {
    return memory.record();
  }

  // ---- receives

  /** Posts a receive WQE of one segment; returns its counter. */
  public int receive(long address, int bytes, int lkey) {
    int counter = writeReceive(DataSegment.first(bytes, lkey), address);
    writeReceiveRecord(receives);
    return counter;
  }

  /** Posts a receive WQE of two segments, with a stride of 32 bytes. */
  public void receiveTwo(long first, int firstBytes, long second, int secondBytes, int lkey) {
    long at = receiveWqe(receives);
    writeReceive(DataSegment.first(firstBytes, lkey), first);
    Memory.putLong(at + 16, DataSegment.first(secondBytes, lkey));
    Memory.putLong(at + 24, second);
    writeReceiveRecord(receives);
  }

  /** Posts a receive WQE without memory; returns its counter. */
  public int receiveNothing() {
    int counter = writeReceive(DataSegment.first(0, DataSegment.INVALID_LKEY), 0);
    writeReceiveRecord(receives);
    return counter;
  }

  private int writeReceive(long first, long second) {
    long at = receiveWqe(receives);
    Memory.putLong(at, first);
    Memory.putLong(at + 8, second);
    if (plan.logStride > 4) {
      Memory.putLong(at + 16, DataSegment.first(0, DataSegment.INVALID_LKEY));
      Memory.putLong(at + 24, 0);
    }
    return receives++ & 0xffff;
  }

  /** Address of the receive WQE of a counter. */
  public long receiveWqe(int counter) {
    return memory.address() + ((long) (counter & (1 << plan.logReceives) - 1) << plan.logStride);
  }

  public void writeReceiveRecord(int counter) {
    Memory.putIntRelease(record() + DoorbellRecord.RECEIVE, counter & 0xffff);
  }

  public void expectCanaries() {
    memory.expectCanaries();
  }
}
