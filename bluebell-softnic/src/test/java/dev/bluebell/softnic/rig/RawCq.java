package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A completion queue, polled by hand. */
public final class RawCq {
  private final Rig rig;
  private final QueueMemory memory;
  private final HcaUar uar;
  private final HcaObject object;
  private QueueMemory ring;
  private int logSize;
  private final int logEntry;
  private int consumer;

  RawCq(Rig rig, int logSize) {
    this(rig, logSize, rig.uar(), context -> {});
  }

  /** A queue whose entries have 128 bytes; {@link #entry} gives the half with the CQE. */
  public static RawCq large(Rig rig, int logSize) {
    return new RawCq(
        rig, logSize, 7, rig.uar(), context -> context.set(Cqc.CQE_SZ, Cqc.CQE_SZ_128_BYTES));
  }

  /**
   * @param uar the page of its doorbell
   * @param change last changes to the context
   */
  public RawCq(Rig rig, int logSize, HcaUar uar, Consumer<View> change) {
    this(rig, logSize, 6, uar, change);
  }

  /** A queue whose entries are at the beginning of a umem, and are not polled. */
  public static RawCq at(Rig rig, int logSize, HcaUmem umem) {
    return at(rig, logSize, umem, context -> {});
  }

  public static RawCq at(Rig rig, int logSize, HcaUmem umem, Consumer<View> change) {
    return new RawCq(
        rig,
        logSize,
        6,
        rig.uar(),
        change,
        command -> command.set(CreateCqIn.CQ_UMEM_ID, umem.number()));
  }

  /** A queue of a client of its own, as the kernel creates it. */
  public static RawCq ofClient(Rig rig, int logSize, int uid) {
    return new RawCq(
        rig, logSize, 6, rig.uar(), context -> {}, command -> command.set(CreateCqIn.UID, uid));
  }

  private RawCq(Rig rig, int logSize, int logEntry, HcaUar uar, Consumer<View> change) {
    this(rig, logSize, logEntry, uar, change, command -> {});
  }

  private RawCq(
      Rig rig,
      int logSize,
      int logEntry,
      HcaUar uar,
      Consumer<View> change,
      Consumer<View> changeOfCommand) {
    this.rig = rig;
    this.logSize = logSize;
    this.logEntry = logEntry;
    this.uar = uar;
    memory = blank(logSize);
    ring = memory;
    View command = command();
    change.accept(command.at(CreateCqIn.CQ_CONTEXT));
    changeOfCommand.accept(command);
    object = rig.nic().create(command.bytes());
  }

  private QueueMemory blank(int log) {
    QueueMemory blank = new QueueMemory(rig.nic(), 1L << logEntry + log);
    for (int i = 0; i < 1 << log; i++) {
      Memory.putLong(cqe(blank, i, log) + Cqe.LAST_WORD, Cqe.OP_OWN_INITIAL);
    }
    return blank;
  }

  private long cqe(QueueMemory memory, int index, int log) {
    int slot = index & (1 << log) - 1;
    return memory.address() + ((long) (slot + 1) << logEntry) - Cqe.BYTES;
  }

  /** The command that moves the queue to a new ring of {@code 2^log} entries. */
  public View resizing(int log) {
    return resizing(log, blank(log));
  }

  private View resizing(int log, QueueMemory memory) {
    View command =
        View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
            .set(ModifyCqIn.CQN, number())
            .set(CmdIn.OP_MOD, 1)
            .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 7)
            .set(CreateCqIn.CQ_UMEM_ID, memory.umem().number())
            .set(ModifyCqIn.CQ_UMEM_VALID, true);
    command.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.LOG_CQ_SIZE, log);
    return command;
  }

  /**
   * Moves the queue to a new ring and copies unpolled entries, like a driver: each one slot
   * further, because the entry that ends the old ring is skipped.
   */
  public void resize(int log) {
    QueueMemory next = blank(log);
    object.modify(resizing(log, next).bytes());
    copy(next, log);
    ring = next;
    logSize = log;
  }

  /** Moves the queue to a new ring, like a driver that forgets its unpolled entries. */
  public void move(int log) {
    QueueMemory next = blank(log);
    object.modify(resizing(log, next).bytes());
    ring.expectCanaries();
    ring = next;
    logSize = log;
  }

  private void copy(QueueMemory next, int log) {
    int index = consumer;
    while (Cqe.opcode(Memory.getLong(entry(index) + Cqe.LAST_WORD)) != CqeOpcode.RESIZE_CQ) {
      assertThat(isOwned(index)).as("entry %d of the old ring", index).isTrue();
      int moved = index + 1;
      long to = cqe(next, moved, log);
      Memory.copy(entry(index), to, Cqe.BYTES);
      long last = Memory.getLong(to + Cqe.LAST_WORD);
      Memory.putLong(to + Cqe.LAST_WORD, last & ~Cqe.OWNER_MASK | moved >>> log & 1);
      index++;
    }
    consumer++;
  }

  /** The command that creates a queue in this queue's memory. */
  public View command() {
    View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
    command.set(CreateCqIn.CQ_UMEM_ID, memory.umem().number()).set(CreateCqIn.CQ_UMEM_VALID, true);
    command
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_ID, memory.umem().number())
        .set(Cqc.DBR_UMEM_VALID, true)
        .set(Cqc.DBR_ADDR, memory.recordOffset())
        .set(Cqc.LOG_CQ_SIZE, logSize)
        .set(Cqc.UAR_PAGE, uar.number())
        .set(Cqc.C_EQN, rig.nic().eventQueueNumber(0));
    return command;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  /** The context as the device reports it. */
  public View query() {
    byte[] command =
        View.command(QueryCqIn.STRUCTURE, CommandOpcode.QUERY_CQ)
            .set(QueryCqIn.CQN, number())
            .bytes();
    return View.over(object.query(command)).at(QueryCqOut.CQ_CONTEXT);
  }

  /** Address of the CQE of a cumulative index. */
  public long entry(int index) {
    return cqe(ring, index, logSize);
  }

  public long record() {
    return memory.record();
  }

  /** Index of the next entry to poll, cumulative. */
  public int consumer() {
    return consumer;
  }

  /** Takes all entries and updates the consumer index. */
  public List<RawCqe> poll() {
    List<RawCqe> taken = peek();
    consumer += taken.size();
    Memory.putIntRelease(record() + DoorbellRecord.CQ_SET_CI, consumer & CqArm.INDEX_MASK);
    return taken;
  }

  /** Takes all entries, which must be this many. */
  public List<RawCqe> poll(int count) {
    List<RawCqe> taken = poll();
    assertThat(taken).as(rig.explanations().toString()).hasSize(count);
    return taken;
  }

  /** Takes the only entry. */
  public RawCqe pollOne() {
    return poll(1).getFirst();
  }

  /** All entries, without an update of the consumer index. */
  public List<RawCqe> peek() {
    List<RawCqe> taken = new ArrayList<>();
    int index = consumer;
    while (taken.size() < 1 << logSize && isOwned(index)) {
      String explanation = rig.nic().diagnosis().orElseThrow().explain(number(), index).orElse("");
      taken.add(RawCqe.at(entry(index), explanation));
      index++;
    }
    return taken;
  }

  private boolean isOwned(int index) {
    long last = Memory.getLongAcquire(entry(index) + Cqe.LAST_WORD);
    return Cqe.opcode(last) != CqeOpcode.INVALID && Cqe.owner(last) == (index >>> logSize & 1);
  }

  /** Arms the queue: record, then register. */
  public void arm(int sequence, boolean solicitedOnly) {
    int command = CqArm.record(sequence, solicitedOnly, consumer);
    writeArmRecord(command);
    ring(CqArm.register(command, number()));
  }

  public void writeArmRecord(int command) {
    Memory.putIntRelease(record() + DoorbellRecord.CQ_ARM, command);
  }

  public void ring(long register) {
    Memory.putLongRelease(uar.address() + Uar.CQ_DOORBELL, register);
  }

  public void expectCanaries() {
    memory.expectCanaries();
    ring.expectCanaries();
  }
}
