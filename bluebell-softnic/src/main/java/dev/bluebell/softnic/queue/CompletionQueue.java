package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.command.Cqc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.text.CqeText;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;

/**
 * The device's side of a completion queue: writes CQEs, watches for overrun, raises events when
 * armed. Owned by whoever runs the engine.
 *
 * <p>Invariant of raw access: the ring of {@code 2^log_cq_size} entries and the doorbell record lie
 * inside umems that this queue holds in use; the creating command checked that.
 */
public final class CompletionQueue {
  /** cqc.status of a queue that was overrun. */
  private static final int STATUS_OVERFLOW = 9;

  private static final int CQE_WORDS = Cqe.LAST_WORD / Long.BYTES;

  private static final int INDEX_MASK = 0xffffff;

  /** Marks the arm field of a doorbell record that software has not written yet; no command. */
  private static final int NEVER_ARMED = -1;

  private final Chip chip;
  private final DeviceTime time;
  private final FlightRecorder recorder;
  private final int number;
  private final byte[] context;
  private final Umem recordMemory;
  private final long record;
  private final boolean ignoreOverrun;

  // log2 of an entry's bytes: in one of 128, the CQE is the second half.
  private final int logStride;

  private Umem ringMemory;
  private long firstCqe;
  private int logSize;
  private int mask;

  // Producer index of the first entry in this ring: what is older was written to another one.
  private int ringStart;

  // All of a CQE but its last word.
  private final long[] cqe = new long[CQE_WORDS];

  private int producer;
  private int seenConsumer;
  private boolean failed;
  private int users;

  private Arming arming = Arming.NONE;
  private int lastArmRecord = NEVER_ARMED;
  private int eventsRaised;

  // Producer index at the last event: software was told of everything before it.
  private int notified;

  private enum Arming {
    NONE,
    ANY,
    SOLICITED
  }

  /**
   * @param context the CQ context, 64 bytes, kept for QUERY_CQ
   * @param ring address of the ring inside {@code ringMemory}
   * @param record address of the doorbell record inside {@code recordMemory}
   */
  public CompletionQueue(
      Chip chip,
      int number,
      byte[] context,
      Umem ringMemory,
      long ring,
      Umem recordMemory,
      long record) {
    this.chip = chip;
    time = chip.time();
    recorder = chip.recorder();
    this.number = number;
    this.context = context;
    this.ringMemory = ringMemory;
    this.recordMemory = recordMemory;
    this.record = record;
    View cqc = View.over(context);
    logStride = logStride(cqc);
    firstCqe = firstCqe(ring);
    logSize = cqc.getInt(Cqc.LOG_CQ_SIZE);
    mask = (1 << logSize) - 1;
    ignoreOverrun = cqc.isSet(Cqc.OI);
    // The first command may well be 0, and its doorbell be written over by another queue's.
    Memory.putIntRelease(record + DoorbellRecord.CQ_ARM, NEVER_ARMED);
    ringMemory.use();
    recordMemory.use();
  }

  /** log2 of the bytes of an entry, by a context. */
  public static int logStride(View cqc) {
    return cqc.getInt(Cqc.CQE_SZ) == 0 ? 6 : 7;
  }

  /** log2 of the bytes of an entry. */
  public int logStride() {
    return logStride;
  }

  private long firstCqe(long ring) {
    return ring + (1L << logStride) - Cqe.BYTES;
  }

  /** Gives the memory back; nothing may use the queue afterwards. */
  public void release() {
    ringMemory.release();
    recordMemory.release();
  }

  public int number() {
    return number;
  }

  /** Queue pairs that complete here. */
  public int users() {
    return users;
  }

  public void use(int delta) {
    users += delta;
  }

  /** Writes a requester's completion; false when the queue is overrun and nothing was written. */
  public boolean completeRequest(
      int qpn, int userIndex, int sendOpcode, int wqeIndex, int byteCount) {
    long slot = claim();
    if (slot < 0) {
      return false;
    }
    write(slot, 0, Cqe.uidxImmediateWord(userIndex, 0), byteCount & 0xffffffffL, time.now());
    publish(slot, CqeOpcode.REQ, false, sendOpcode, qpn, wqeIndex);
    note(slot, qpn, wqeIndex, CqeOpcode.REQ << 8);
    if (arming == Arming.ANY) {
      fire();
    }
    return true;
  }

  /**
   * Writes a responder's completion; false when the queue is overrun and nothing was written.
   *
   * @param flags flags_rqpn
   * @param immediate imm_inval_pkey
   */
  public boolean completeReceive(
      int opcode,
      int qpn,
      int userIndex,
      int flags,
      int wqeIndex,
      int byteCount,
      int immediate,
      boolean solicited) {
    long slot = claim();
    if (slot < 0) {
      return false;
    }
    write(
        slot,
        (long) flags << 32,
        Cqe.uidxImmediateWord(userIndex, immediate),
        byteCount & 0xffffffffL,
        time.now());
    publish(slot, opcode, solicited, 0, qpn, wqeIndex);
    note(slot, qpn, wqeIndex, opcode << 8);
    if (arming == Arming.ANY || (arming == Arming.SOLICITED && solicited)) {
      fire();
    }
    return true;
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
    int index = producer;
    long slot = claim();
    if (slot < 0) {
      return false;
    }
    if (!explanation.isEmpty()) {
      chip.explanations().add(number, index, explanation);
    }
    write(slot, 0, Cqe.uidxImmediateWord(userIndex, 0), 0, Cqe.errorWord(vendorSyndrome, syndrome));
    publish(slot, opcode, false, sendOpcode, qpn, wqeIndex);
    note(slot, qpn, wqeIndex, opcode << 8 | syndrome);
    if (arming != Arming.NONE) {
      fire();
    }
    return true;
  }

  private long claim() {
    if (!hasRoom()) {
      noteOverrun();
      return -1;
    }
    return firstCqe + ((long) (producer & mask) << logStride) & Memory.ADDRESS_BITS;
  }

  /** True when another completion can be written. */
  public boolean hasRoom() {
    return (producer - seenConsumer & INDEX_MASK) <= mask || makesRoom();
  }

  /** Completions that can be written now; at least that many. */
  public int room() {
    return hasRoom() ? mask + 1 - (producer - seenConsumer & INDEX_MASK) : 0;
  }

  private boolean makesRoom() {
    if (failed) {
      return false;
    }
    seenConsumer =
        ignoreOverrun
            ? producer
            : Memory.getIntAcquire(record + DoorbellRecord.CQ_SET_CI) & INDEX_MASK;
    return (producer - seenConsumer & INDEX_MASK) <= mask;
  }

  private void noteOverrun() {
    if (failed) {
      return;
    }
    failed = true;
    chip.explanations()
        .add(
            Subject.COMPLETION_QUEUE,
            number,
            "CQ 0x%x is overrun: its %d entries are full (producer index %d, consumer index %d in the doorbell record); poll it more often or create it larger"
                .formatted(number, mask + 1, producer & INDEX_MASK, seenConsumer));
    recorder.record(Happening.EVENT, number, 0, HcaEvent.CQ_ERROR);
    chip.events().raise(HcaEvent.CQ_ERROR, number, HcaEvent.CQ_OVERRUN);
  }

  private void write(long slot, long flags, long uidxImmediate, long byteCount, long timestamp) {
    long[] words = cqe;
    words[Cqe.FLAGS_RQPN_WORD / Long.BYTES] = flags;
    words[Cqe.UIDX_IMMEDIATE_WORD / Long.BYTES] = uidxImmediate;
    words[Cqe.BYTE_COUNT_WORD / Long.BYTES] = byteCount;
    words[Cqe.TIMESTAMP_WORD / Long.BYTES] = timestamp;
    Memory.putLongs(slot, words, CQE_WORDS);
  }

  // The owner bit travels with the last word, so that a poller which sees it sees the whole entry.
  private void publish(
      long slot, int opcode, boolean solicited, int sendOpcode, int qpn, int wqeIndex) {
    int opOwn = Cqe.opOwn(opcode, solicited, producer >>> logSize);
    Memory.putLongRelease(slot + Cqe.LAST_WORD, Cqe.lastWord(sendOpcode, qpn, wqeIndex, opOwn));
    producer++;
  }

  private void note(long slot, int qpn, int wqeIndex, int detail) {
    if (recorder.isTracing()) {
      trace(slot, qpn, wqeIndex, detail);
    } else {
      recorder.record(Happening.COMPLETED, qpn, wqeIndex, detail);
    }
  }

  private void trace(long slot, int qpn, int wqeIndex, int detail) {
    byte[] cqe = new byte[Cqe.BYTES];
    Memory.copyTo(slot, MemorySegment.ofArray(cqe), 0, cqe.length);
    recorder.record(Happening.COMPLETED, qpn, wqeIndex, detail, CqeText.disassemble(cqe));
  }

  private void fire() {
    arming = Arming.NONE;
    eventsRaised++;
    notified = producer;
    recorder.record(Happening.EVENT, number, producer, HcaEvent.COMPLETION);
    chip.events().raise(HcaEvent.COMPLETION, number, 0);
  }

  /** True when the doorbell record holds an arm command that was not looked at yet. */
  public boolean hasNewArmRecord() {
    return Memory.getIntAcquire(record + DoorbellRecord.CQ_ARM) != lastArmRecord;
  }

  /**
   * Obeys the arm command in the doorbell record: raises an event for the first completion beyond
   * its consumer index that no event told of, at once when there is one. So software that arms
   * before it polls, as many programs do, hears of each completion once. A command with the
   * sequence number of an event that was already raised is ignored, as an old command may arrive
   * late.
   */
  public void arm() {
    int command = Memory.getIntAcquire(record + DoorbellRecord.CQ_ARM);
    lastArmRecord = command;
    if (command == NEVER_ARMED) {
      chip.explanations()
          .add(
              Subject.COMPLETION_QUEUE,
              number,
              "CQ 0x%x: its doorbell rang, but its doorbell record holds no arm command; write the record before the doorbell"
                  .formatted(number));
      return;
    }
    if (CqArm.sequence(command) != (eventsRaised & 3)) {
      chip.explanations()
          .add(
              Subject.COMPLETION_QUEUE,
              number,
              "CQ 0x%x: arm command 0x%08x is ignored: its arm_sn is %d and %d events were raised; increment arm_sn once for each event"
                  .formatted(number, command, CqArm.sequence(command), eventsRaised));
      return;
    }
    boolean solicitedOnly = CqArm.solicitedOnly(command);
    int unconsumed = producer - CqArm.consumerIndex(command) & INDEX_MASK;
    int unseen = Math.min(unconsumed, producer - notified & INDEX_MASK);
    arming = solicitedOnly ? Arming.SOLICITED : Arming.ANY;
    if (unseen > 0 && (!solicitedOnly || isSolicited(Math.min(unseen, mask + 1)))) {
      fire();
    }
  }

  /** True when one of the newest completions was to raise an event even if others were not. */
  private boolean isSolicited(int unseen) {
    int here = Math.min(unseen, producer - ringStart);
    if (here < unseen) {
      return true;
    }
    for (int i = 1; i <= here; i++) {
      long last =
          Memory.getLong(firstCqe + ((long) (producer - i & mask) << logStride) + Cqe.LAST_WORD);
      if (Cqe.solicited(last) || Cqe.opcode(last) >= CqeOpcode.REQ_ERR) {
        return true;
      }
    }
    return false;
  }

  /** The context as QUERY_CQ reports it. */
  public byte[] currentContext() {
    byte[] current = context.clone();
    View cqc = View.over(current).set(Cqc.PRODUCER_COUNTER, producer & INDEX_MASK);
    cqc.set(
        Cqc.CONSUMER_COUNTER, Memory.getIntAcquire(record + DoorbellRecord.CQ_SET_CI) & INDEX_MASK);
    cqc.set(Cqc.LAST_NOTIFIED_INDEX, notified & INDEX_MASK);
    cqc.set(Cqc.STATUS, failed ? STATUS_OVERFLOW : 0);
    cqc.set(
        Cqc.ST,
        arming == Arming.ANY ? 9 : arming == Arming.SOLICITED ? 6 : eventsRaised > 0 ? 0xa : 0);
    return current;
  }

  /** Completions that software has not consumed yet, as its doorbell record says. */
  public int unconsumed() {
    return producer - Memory.getIntAcquire(record + DoorbellRecord.CQ_SET_CI) & INDEX_MASK;
  }

  /**
   * Ends the ring with a CQE that says so and goes on in another, which software fills with what it
   * has not consumed. There must be room for that CQE.
   *
   * @param newRing address of the ring, whose entries are of the same size, inside {@code memory}
   */
  public void resize(Umem memory, long newRing, int newLogSize) {
    long slot = claim();
    if (slot < 0) {
      throw new IllegalStateException("the ring has no room for the CQE that ends it");
    }
    write(slot, 0, 0, 0, time.now());
    publish(slot, CqeOpcode.RESIZE_CQ, false, 0, 0, 0);
    memory.use();
    ringMemory.release();
    ringMemory = memory;
    firstCqe = firstCqe(newRing);
    logSize = newLogSize;
    mask = (1 << newLogSize) - 1;
    ringStart = producer;
    View.over(context).set(Cqc.LOG_CQ_SIZE, newLogSize);
  }

  /** Changes the event moderation that MODIFY_CQ names. */
  public void moderate(int period, int count) {
    View.over(context).set(Cqc.CQ_PERIOD, period).set(Cqc.CQ_MAX_COUNT, count);
  }

  @Override
  public String toString() {
    return "CQ 0x%x: %d entries, producer index %d, %s, arming %s"
        .formatted(number, mask + 1, producer & INDEX_MASK, failed ? "overrun" : "OK", arming);
  }
}
