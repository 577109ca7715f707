package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqOut;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.function.Consumer;

/** A tag-matching queue, written by hand, with a ring of receive WQEs. */
public final class RawXrq {
  public static final int USER_INDEX = 0x777;

  private static final int LOG_STRIDE = 6;
  private static final int LOG_SIZE = 3;

  private final Rig rig;
  private final RawCq completions;
  private final int logList;
  private final Consumer<View> change;
  private final QueueMemory memory;
  private final HcaObject object;
  private int posted;

  /** A queue of 8 receive WQEs that does rendezvous. */
  public RawXrq(Rig rig, RawCq completions, int logList) {
    this(rig, completions, logList, wq -> {});
  }

  /**
   * A queue of 8 receive WQEs that does rendezvous.
   *
   * @param change last changes to the context of the work queue
   */
  public RawXrq(Rig rig, RawCq completions, int logList, Consumer<View> change) {
    this.change = change;
    this.rig = rig;
    this.completions = completions;
    this.logList = logList;
    memory = new QueueMemory(rig.nic(), 1L << LOG_SIZE + LOG_STRIDE);
    object = rig.nic().create(command().bytes());
  }

  /** The command that creates a queue in this one's memory. */
  public View command() {
    View command = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ);
    View context =
        command
            .at(CreateXrqIn.XRQ_CONTEXT)
            .set(Xrqc.TOPOLOGY, 1)
            .set(Xrqc.OFFLOAD, 1)
            .set(Xrqc.USER_INDEX, USER_INDEX)
            .set(Xrqc.CQN, completions.number());
    context
        .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
        .set(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ, logList);
    context
        .at(Xrqc.WQ)
        .set(Wq.WQ_TYPE, 1)
        .set(Wq.PD, rig.domain().number())
        .set(Wq.LOG_WQ_SZ, LOG_SIZE)
        .set(Wq.LOG_WQ_STRIDE, LOG_STRIDE)
        .set(Wq.WQ_UMEM_VALID, true)
        .set(Wq.WQ_UMEM_ID, memory.umem().number())
        .set(Wq.DBR_UMEM_VALID, true)
        .set(Wq.DBR_UMEM_ID, memory.umem().number())
        .set(Wq.DBR_ADDR, memory.recordOffset());
    change.accept(context.at(Xrqc.WQ));
    return command;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  public RawCq completions() {
    return completions;
  }

  /** A queue pair that receives from it. */
  public RawQp qp() {
    return rig.qp(plan());
  }

  /** A queue pair that receives from it and whose send queue belongs to the device. */
  public RawQp offloaded() {
    return rig.qp(
        plan().change(qpc -> receiving(qpc).set(Qpc.NO_SQ, true).set(Qpc.OFFLOAD_TYPE, 1)));
  }

  public RawQpPlan plan() {
    return new RawQpPlan(rig.cq(6)).withoutReceives().change(this::receiving);
  }

  /** Changes a context of a queue pair so that it receives from this queue. */
  public View receiving(View qpc) {
    return qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED).set(Qpc.SRQN_RMPN_XRQN, number());
  }

  /** A queue pair that receives from it and is connected to itself, for changes of the list. */
  public RawQp commands() {
    RawQp qp = qp();
    qp.connect(qp.number(), new Settings());
    return qp;
  }

  /** Posts a receive WQE of one segment. */
  public void receive(long address, int bytes, int lkey) {
    long at = memory.address() + ((long) (posted & (1 << LOG_SIZE) - 1) << LOG_STRIDE);
    Memory.putLong(at, 0);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + 16, DataSegment.first(bytes, lkey));
    Memory.putLong(at + 24, address);
    Memory.putLong(at + 32, DataSegment.first(0, DataSegment.INVALID_LKEY));
    Memory.putLong(at + 40, 0);
    posted++;
    Memory.putIntRelease(memory.record(), posted & 0xffff);
  }

  /** The context as the device reports it. */
  public View query() {
    byte[] command =
        View.command(QueryXrqIn.STRUCTURE, CommandOpcode.QUERY_XRQ)
            .set(QueryXrqIn.XRQN, number())
            .bytes();
    return View.over(object.query(command)).at(QueryXrqOut.XRQ_CONTEXT);
  }

  /** The command that arms the event for fewer available receive WQEs than this. */
  public View limit(int wqes) {
    return View.command(ArmXrqIn.STRUCTURE, CommandOpcode.ARM_XRQ)
        .set(ArmXrqIn.XRQN, number())
        .set(ArmXrqIn.LWM, wqes);
  }

  public void expectCanaries() {
    memory.expectCanaries();
  }

  // ---- changes of the list of tags, as libmlx5 writes them

  /**
   * A change without data segment.
   *
   * @param operation opcode of the segment
   * @param flags CQE_REQ, SW_CNT_VALID
   */
  public static Wqe change(int operation, int flags, int index, int count, long tag, long mask) {
    long head =
        TagMatchingSegment.OPCODE.place(operation)
            | TagMatchingSegment.FLAGS.place(flags)
            | TagMatchingSegment.INDEX.place(index)
            | TagMatchingSegment.SW_CNT.place(count);
    return new Wqe(WqeOpcode.TAG_MATCHING).control(0).words(head, 0).words(tag, mask);
  }

  /** A signalled APPEND; the caller adds the data segment. */
  public static Wqe append(int next, long tag, long mask) {
    return change(TagMatchingSegment.APPEND, TagMatchingSegment.CQE_REQ, next, 0, tag, mask);
  }

  /** A signalled REMOVE. */
  public static Wqe remove(int index) {
    return change(TagMatchingSegment.REMOVE, TagMatchingSegment.CQE_REQ, index, 0, 0, 0);
  }

  /** A signalled NOP that reports the number of handled unexpected messages. */
  public static Wqe synchronize(int count) {
    int flags = TagMatchingSegment.CQE_REQ | TagMatchingSegment.SW_CNT_VALID;
    return change(TagMatchingSegment.NOP, flags, 0, count, 0, 0);
  }
}
