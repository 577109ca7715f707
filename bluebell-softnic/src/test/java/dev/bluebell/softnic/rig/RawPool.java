package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpOut;
import dev.bluebell.hca.command.RmpCommands.RmpBitmask;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.DataSegment;
import java.util.function.Consumer;

/** A receive memory pool, written by hand. */
public final class RawPool {
  private static final int LOG_STRIDE = 6;

  private final Rig rig;
  private final boolean linked;
  private final int logSize;
  private final Consumer<View> change;
  private final QueueMemory memory;
  private final HcaObject object;
  private int posted;

  /**
   * @param linked whether WQEs are taken in the order of their links
   */
  public RawPool(Rig rig, boolean linked, int logSize) {
    this(rig, linked, logSize, wq -> {});
  }

  /**
   * @param change last changes to the context of the work queue
   */
  public RawPool(Rig rig, boolean linked, int logSize, Consumer<View> change) {
    this.change = change;
    this.rig = rig;
    this.linked = linked;
    this.logSize = logSize;
    memory = new QueueMemory(rig.nic(), 1L << logSize + LOG_STRIDE);
    object = rig.nic().create(command().bytes());
  }

  /** The command that creates a pool in this one's memory. */
  public View command() {
    View command = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    View context = command.at(CreateRmpIn.CTX).set(Rmpc.STATE, 1);
    context
        .at(Rmpc.WQ)
        .set(Wq.WQ_TYPE, linked ? 0 : 1)
        .set(Wq.PD, rig.domain().number())
        .set(Wq.LOG_WQ_SZ, logSize)
        .set(Wq.LOG_WQ_STRIDE, LOG_STRIDE)
        .set(Wq.WQ_UMEM_VALID, true)
        .set(Wq.WQ_UMEM_ID, memory.umem().number())
        .set(Wq.DBR_UMEM_VALID, true)
        .set(Wq.DBR_UMEM_ID, memory.umem().number())
        .set(Wq.DBR_ADDR, memory.recordOffset());
    change.accept(context.at(Rmpc.WQ));
    return command;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  /** Writes the WQE of a slot: link to the next one, one segment, terminator. */
  public void write(int slot, int next, long address, int bytes, int lkey) {
    long at = memory.address() + ((long) slot << LOG_STRIDE);
    Memory.putLong(at, (long) next << 32);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + 16, DataSegment.first(bytes, lkey));
    Memory.putLong(at + 24, address);
    Memory.putLong(at + 32, DataSegment.first(0, DataSegment.INVALID_LKEY));
    Memory.putLong(at + 40, 0);
  }

  /** Address of the first data segment of a slot, of which there are three. */
  public long segments(int slot) {
    return memory.address() + ((long) slot << LOG_STRIDE) + 16;
  }

  /** Posts this many more WQEs. */
  public void post(int count) {
    posted += count;
    writeRecord(posted);
  }

  public void writeRecord(int counter) {
    Memory.putIntRelease(memory.record(), counter & 0xffff);
  }

  /** The command that arms the event for fewer available WQEs than this. */
  public View limit(int wqes) {
    View command =
        View.command(ModifyRmpIn.STRUCTURE, CommandOpcode.MODIFY_RMP)
            .set(ModifyRmpIn.RMPN, number())
            .set(ModifyRmpIn.RMP_STATE, 1);
    command.at(ModifyRmpIn.BITMASK).set(RmpBitmask.LWM, true);
    command.at(ModifyRmpIn.CTX).at(Rmpc.WQ).set(Wq.LWM, wqes);
    return command;
  }

  /** The context of its work queue. */
  public View context() {
    byte[] query =
        View.command(QueryRmpIn.STRUCTURE, CommandOpcode.QUERY_RMP)
            .set(QueryRmpIn.RMPN, number())
            .bytes();
    return View.over(object.query(query)).at(QueryRmpOut.RMP_CONTEXT).at(Rmpc.WQ);
  }

  public void expectCanaries() {
    memory.expectCanaries();
  }
}
