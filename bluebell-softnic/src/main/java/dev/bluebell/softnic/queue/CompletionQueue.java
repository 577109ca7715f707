package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.text.CqeText;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.packet.Origin;
import dev.bluebell.softnic.translation.Umem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The device's side of a completion queue: builds each CQE, writes it to the ring, and reports an
 * overrun. Owned by the thread that runs the engine.
 */
public final class CompletionQueue {
  private static final int LOG_LARGE_ENTRY = 7;

  /** cqc.status of a queue that was overrun. */
  private static final int STATUS_OVERFLOW = 9;

  /**
   * Byte 62 of successful completions on a strict device: not 0, because the byte has no meaning.
   */
  private static final int MEANINGLESS = 0xe1;

  /** A bit of byte 62 of error completions, so that the byte is never 0. */
  private static final int SIGNED = 0x80;

  private static final int INDEX_MASK = 0xffffff;

  private final Chip chip;
  private final DeviceTime time;
  private final FlightRecorder recorder;
  private final Client client;
  private final int number;
  private final byte[] context;
  private final CompletionRing ring;
  private final Arming arming;
  private final Completion next = new Completion();

  // Byte 62 of successful completions.
  private final int signature;

  private boolean overrun;
  private int users;

  // The uid of the command that created it.
  private int owner;

  // Null until the first wait.
  private @Nullable CqWaiters waiters;

  /**
   * @param context the CQ context, 64 bytes, kept for QUERY_CQ
   */
  public CompletionQueue(Chip chip, int number, byte[] context, CqMemory memory) {
    this.chip = chip;
    time = chip.time();
    recorder = chip.recorder();
    client = chip.scheduler().client();
    this.number = number;
    this.context = context;
    View cqc = View.over(context);
    boolean isBasic = cqc.getInt(Cqc.CQE_COMPRESSION_LAYOUT) == Cqc.LAYOUT_BASIC;
    signature = isBasic && chip.machine().strict() ? MEANINGLESS : 0;
    ring = ring(chip, number, memory, cqc);
    if (isCollapsed()) {
      ring.collapse();
    } else if (!hasLargeEntries()) {
      ring.join(chip.batch());
    }
    arming = new Arming(chip, number, ring, cqc);
    ring.attach(arming);
  }

  private static CompletionRing ring(Chip chip, int number, CqMemory memory, View cqc) {
    if (cqc.isSet(Cqc.CQE_COMP_EN)) {
      Compression compression = new Compression(chip, number, cqc.getInt(Cqc.MINI_CQE_RES_FORMAT));
      return cqc.getInt(Cqc.CQE_COMPRESSION_LAYOUT) == Cqc.LAYOUT_BASIC
          ? new BasicCompression(memory, cqc, compression)
          : new EnhancedCompression(memory, cqc, compression);
    }
    Faults faults = chip.faults();
    Chance chance = faults == null ? null : faults.ofCompletionQueue(FaultyRing.KINDS, number);
    return faults == null || chance == null
        ? new CompletionRing(memory, cqc)
        : new FaultyRing(chip, faults, number, chance, memory, cqc);
  }

  /** log2 of the bytes of an entry, from a context. */
  public static int logStride(View cqc) {
    return cqc.getInt(Cqc.CQE_SZ) == 0 ? LOG_LARGE_ENTRY - 1 : LOG_LARGE_ENTRY;
  }

  /** log2 of the bytes of an entry. */
  public int logStride() {
    return logStride(View.over(context));
  }

  /** True when an entry has room for 64 bytes of data beside its CQE. */
  public boolean hasLargeEntries() {
    return logStride() == LOG_LARGE_ENTRY;
  }

  /** True when all completions are written to the first entry. */
  public boolean isCollapsed() {
    return View.over(context).isSet(Cqc.CC);
  }

  /** Sets its owner: the uid of the command that created it, 16 bits. */
  public void belongTo(int uid) {
    owner = uid;
  }

  /** The uid of its owner. */
  public int owner() {
    return owner;
  }

  /** Releases the memory and wakes all waiters; nothing may use the queue afterwards. */
  public void release() {
    arming.end();
    if (waiters != null) {
      waiters.wakeAll();
    }
    ring.release();
  }

  public int number() {
    return number;
  }

  /** The client whose command created it. */
  public Client client() {
    return client;
  }

  /** Number of queue pairs that complete here. */
  public int users() {
    return users;
  }

  public void use(int delta) {
    users += delta;
  }

  /** Reads the record and the newest entries, only to find out whether their memory is gone. */
  public void touch() {
    ring.touch();
  }

  CompletionRing ring() {
    return ring;
  }

  // ---- completions

  /**
   * Begins the completion that is written next, with {@link #complete}.
   *
   * @param opcode see {@link CqeOpcode}
   * @param qpn number of the queue pair
   * @param userIndex of the queue pair or the shared receive queue
   */
  public Completion next(int opcode, int qpn, int userIndex, int wqeIndex) {
    return next.begin(opcode, qpn, userIndex, wqeIndex);
  }

  /**
   * Writes a completion; false when the queue is overrun and nothing was written.
   *
   * @param completion from {@link #next}
   */
  public boolean complete(Completion completion) {
    if (!hasRoom()) {
      return noteOverrun();
    }
    ring.write(completion.succeeded(time.now(), signature));
    note(completion.qpn(), completion.wqeIndex(), completion.opcode() << 8);
    completed(completion.isSolicited());
    return true;
  }

  /**
   * Writes a requester's completion; false when the queue is overrun and nothing was written. For
   * the data path: the same as {@link #complete}, without an object in between.
   */
  public boolean completeRequest(
      int qpn, int userIndex, int sendOpcode, int wqeIndex, int byteCount) {
    if (!hasRoom()) {
      return noteOverrun();
    }
    ring.write(
        0,
        Cqe.uidxImmediateWord(userIndex, 0),
        byteCount & 0xffffffffL,
        time.now(),
        successWord(sendOpcode, qpn, wqeIndex, Cqe.opOwn(CqeOpcode.REQ, false, 0)));
    note(qpn, wqeIndex, CqeOpcode.REQ << 8);
    completed(false);
    return true;
  }

  /**
   * Writes a responder's completion; false when the queue is overrun and nothing was written. For
   * the data path, as {@link #completeRequest}.
   *
   * @param sender see {@link Origin}
   * @param immediate imm_inval_pkey
   */
  public boolean completeReceive(
      int opcode,
      int qpn,
      int userIndex,
      long sender,
      int wqeIndex,
      int byteCount,
      int immediate,
      boolean solicited) {
    if (Origin.hasPath(sender)) {
      return complete(
          next(opcode, qpn, userIndex, wqeIndex)
              .sender(sender)
              .bytes(byteCount)
              .immediate(immediate)
              .solicited(solicited));
    }
    if (!hasRoom()) {
      return noteOverrun();
    }
    ring.write(
        Origin.flagsWord(sender),
        Cqe.uidxImmediateWord(userIndex, immediate),
        byteCount & 0xffffffffL,
        time.now(),
        successWord(0, qpn, wqeIndex, Cqe.opOwn(opcode, solicited, 0)));
    note(qpn, wqeIndex, opcode << 8);
    completed(solicited);
    return true;
  }

  private long successWord(int sendOpcode, int qpn, int wqeIndex, int opOwn) {
    return Cqe.lastWord(sendOpcode, qpn, wqeIndex, opOwn) | Cqe.SIGNATURE.place(signature);
  }

  /**
   * Writes the error completion of a tag list's entry whose data will not arrive; false when the
   * queue is overrun and nothing was written.
   */
  public boolean cancelTagged(int qpn, int userIndex, int entry, String explanation) {
    if (hasRoom()) {
      chip.explanations().add(client, number, ring.nextIndex(), explanation);
    }
    return complete(
        next(CqeOpcode.NO_PACKET, qpn, userIndex, 0)
            .tagged(TagMatchingCqe.MSG_COMPLETION_CANCELED, entry)
            .solicited(true));
  }

  /**
   * Writes an error completion and keeps its explanation; false when the queue is overrun and
   * nothing was written.
   *
   * @param opcode REQ_ERR or RESP_ERR
   */
  public boolean completeError(
      int opcode,
      int qpn,
      int userIndex,
      int sendOpcode,
      int wqeIndex,
      int syndrome,
      int vendorSyndrome,
      String explanation) {
    if (!hasRoom()) {
      return noteOverrun();
    }
    chip.counters().failed(opcode, syndrome);
    if (!explanation.isEmpty()) {
      chip.explanations().add(client, number, ring.nextIndex(), explanation);
    }
    // On cards, bit 1 is set and byte 62 is not 0; neither means anything here.
    ring.write(
        next(opcode, qpn, userIndex, wqeIndex)
            .sendOpcode(sendOpcode)
            .failed(vendorSyndrome, syndrome, SIGNED | syndrome));
    int detail = opcode << 8 | syndrome;
    if (syndrome == Syndrome.WR_FLUSH_ERR) {
      // There is one for each flushed request, and none says anything about the cause.
      note(qpn, wqeIndex, detail);
    } else {
      noteFailure(qpn, wqeIndex, detail, explanation);
    }
    completed(true);
    return true;
  }

  /** True when a completion found no room; no more completions are written then. */
  public boolean isOverrun() {
    return overrun;
  }

  /** True when another completion can be written. */
  public boolean hasRoom() {
    return !overrun && ring.hasRoom();
  }

  /** Lower bound of the number of completions that can be written now. */
  public int room() {
    return overrun ? 0 : ring.room();
  }

  private boolean noteOverrun() {
    if (overrun) {
      return false;
    }
    overrun = true;
    ring.publish();
    chip.counters().count(QueueCounter.CQ_OVERFLOW);
    if (!ring.pretendsFull()) {
      explainOverrun();
    }
    recorder.record(HcaHappening.EVENT, number, 0, HcaEvent.CQ_ERROR);
    chip.events().raise(HcaEvent.CQ_ERROR, number, HcaEvent.CQ_OVERRUN);
    return false;
  }

  private void explainOverrun() {
    chip.explainCompletionQueue(
        number,
        "CQ 0x%x is overrun: its %d entries are full (producer index %d, consumer index %d in the doorbell record); poll it more often or create it larger%s"
            .formatted(
                number,
                ring.size(),
                ring.nextIndex() & INDEX_MASK,
                ring.seenConsumer(),
                ring.seenConsumer() == 0
                    ? "; a driver must write the consumer index to the doorbell record after polls"
                    : ""));
  }

  /** Makes the completion that was written last raise an event like a solicited one. */
  public void solicit() {
    if (!chip.machine().strict()) {
      if (!ring.solicit()) {
        arming.solicited();
      }
    }
  }

  private void completed(boolean solicitedOrFailed) {
    if (!ring.isHolding()) {
      arming.completed(solicitedOrFailed);
    }
    if (waiters != null) {
      ring.publish();
      waiters.produced(ring.nextIndex());
    }
  }

  // ---- waiters

  /**
   * True when the queue has produced the completion with this index.
   *
   * @param index counted since the queue's creation; its low 24 bits count
   */
  public boolean hasProduced(int index) {
    return ahead(index) < 0;
  }

  /** Number of completions produced since its creation, 24 bits. */
  public int produced() {
    return ring.nextIndex() & INDEX_MASK;
  }

  /** How far an index is ahead of the number produced, as a signed number of 24 bits. */
  private int ahead(int index) {
    return index - ring.nextIndex() << 8 >> 8;
  }

  /**
   * Wakes the waiter, which waits at no other queue, once this one {@link #hasProduced} an index,
   * which it must not have yet.
   */
  public void await(CqWaiter waiter, int index) {
    if (waiters == null) {
      waiters = new CqWaiters(chip, this, ring.nextIndex());
    }
    waiters.add(waiter, ring.nextIndex() + ahead(index) + 1);
  }

  /** Removes a waiter. */
  public void stopWaiting(CqWaiter waiter) {
    if (waiters != null) {
      waiters.remove(waiter);
    }
  }

  private void note(int qpn, int wqeIndex, int detail) {
    if (recorder.isTracing(qpn)) {
      recorder.recordTraced(HcaHappening.COMPLETED, qpn, wqeIndex, detail, newest());
    } else {
      recorder.record(HcaHappening.COMPLETED, qpn, wqeIndex, detail);
    }
  }

  private void noteFailure(int qpn, int wqeIndex, int detail, String explanation) {
    String text = recorder.isTracing(qpn) ? newest() : null;
    recorder.recordFailure(client, HcaHappening.COMPLETED, qpn, wqeIndex, detail, text);
    if (!explanation.isEmpty()) {
      recorder.recordFailure(client, HcaHappening.EXPLAINED, qpn, wqeIndex, 0, explanation);
    }
  }

  /** The newest CQE, as text. */
  private String newest() {
    byte[] cqe = new byte[Cqe.BYTES];
    ring.newest(cqe);
    return CqeText.disassemble(cqe);
  }

  // ---- events

  /**
   * Obeys the arm command in the doorbell record, because the queue's doorbell rang.
   *
   * @param rung the command that the register held
   */
  public void arm(int rung) {
    arming.arm(rung);
  }

  /** Another queue's doorbell rang on the register, and may have overwritten this queue's. */
  public void armUnrung() {
    arming.armUnrung();
  }

  // ---- for commands

  /** Number of the UAR page of its doorbell. */
  public int uarPage() {
    return View.over(context).getInt(Cqc.UAR_PAGE);
  }

  /** The context as QUERY_CQ reports it. */
  public byte[] currentContext() {
    byte[] current = context.clone();
    View.over(current)
        .set(Cqc.PRODUCER_COUNTER, ring.producer() & INDEX_MASK)
        .set(Cqc.CONSUMER_COUNTER, ring.consumer())
        .set(Cqc.LAST_NOTIFIED_INDEX, arming.notified() & INDEX_MASK)
        .set(Cqc.STATUS, overrun ? STATUS_OVERFLOW : 0)
        .set(Cqc.ST, arming.contextState());
    return current;
  }

  /**
   * Writes the completions that are held back for compression. Later ones begin a new session,
   * because software may have dropped these.
   */
  public void settle() {
    ring.settle();
  }

  /** Number of completions that software has not consumed yet, by its doorbell record. */
  public int unconsumed() {
    return ring.unconsumed();
  }

  /**
   * Ends the ring with a RESIZE_CQ entry, for which there must be room, and continues in another
   * ring, into which software copies the completions that it has not consumed.
   *
   * @param newRing address of the ring, whose entries are of the same size, inside {@code memory}
   */
  public void resize(Umem memory, long newRing, int newLogSize) {
    if (!hasRoom()) {
      throw new IllegalStateException("the ring has no room for the CQE that ends it");
    }
    ring.write(next(CqeOpcode.RESIZE_CQ, 0, 0, 0).succeeded(time.now(), signature));
    ring.move(memory, newRing, newLogSize);
    arming.resized();
    if (waiters != null) {
      waiters.produced(ring.nextIndex());
    }
    View.over(context).set(Cqc.LOG_CQ_SIZE, newLogSize);
  }

  /**
   * Changes the event moderation.
   *
   * @param cqc context with the new values
   * @param fields those of cq_period, cq_max_count and cq_period_mode that change
   */
  public void moderate(View cqc, List<Field> fields) {
    View changed = View.over(context);
    fields.forEach(field -> changed.set(field, cqc.get(field)));
    arming.moderate(changed);
  }

  @Override
  public String toString() {
    int unpolled = unconsumed();
    return "CQ 0x%x: %d entries, producer index %d%s, %s, %s%s%s"
        .formatted(
            number,
            ring.size(),
            ring.producer() & INDEX_MASK,
            unpolled == 0 ? "" : ", %s not polled".formatted(Counted.of(unpolled, "completion")),
            overrun ? "overrun" : "OK",
            arming,
            waiters == null ? "" : ", %d send queues wait for it".formatted(waiters.count()),
            ring instanceof CompressingRing compressing ? ", " + compressing : "");
  }
}
