package dev.bluebell.verbs.ring;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.jfr.CompletionFailedEvent;
import dev.bluebell.verbs.jfr.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue in memory. Mirrors {@code cq.c: mlx5_poll_cq, mlx5_arm_cq}. Belongs to the
 * thread that polls.
 */
public final class CompletionRing extends Owned {
  /** User index and QPN of entries that {@link #discard} took out of circulation. */
  private static final int NOBODY = 0xffffff;

  /**
   * Bits of the last word that identify a plain completion of a send request: op_own without the
   * solicited bit must be 0 except for the owner bit, and the QPN must match.
   */
  private static final long PLAIN_REQUEST = Cqe.lastWord(0, 0xffffff, 0, 0xff & ~Cqe.SOLICITED);

  /** Bits of the last word that hold the QPN, and whether there is data inside the entry. */
  private static final long QPN_AND_FORMAT = Cqe.lastWord(0, 0xffffff, 0, Cqe.FORMAT_MASK);

  /** Entries that {@link #readAhead} covers; it reads the last one to check that all are there. */
  private static final int AHEAD = 8;

  private final QueueTable queues;
  private final CqeView view;

  /** Null when the device does not compress. */
  private final @Nullable CqeExpansion expansion;

  private final CqePayload payload;
  private final int logBytes;
  private final int cqn;
  private long base;
  private int mask;
  private int logEntries;
  private long record;
  private long register;
  private int consumer;
  private int armSequence;

  /** How many entries were marks of the ends of rings. */
  private int marks;

  private WorkQueues lastOwner = QueueTable.CLOSED;

  /** Stores the words that {@link #readAhead} read, so that the JIT cannot eliminate the reads. */
  @SuppressWarnings("UnusedVariable")
  private long seen;

  private boolean closed;

  /**
   * The thread that owned the queue when another one closed it. It may be in the middle of a poll,
   * so what it did not poll is dropped when it next uses the queue or hands it over, or has ended.
   */
  private @Nullable Thread poller;

  /** Name of the device, for failure events. */
  private String device = "";

  /**
   * A queue over memory that the caller keeps alive and has {@linkplain
   * CompletionRingLayout#initialize initialized}.
   *
   * @param queues finds the queues whose requests complete
   * @param memory memory to which data inside completions is copied
   * @param diagnosis explains failures; null without one
   */
  public CompletionRing(
      CompletionRingLayout layout,
      QueueTable queues,
      LocalMemory memory,
      @Nullable HcaDiagnosis diagnosis) {
    super("CQ 0x%x".formatted(layout.cqn()), "CQ 0x%x".formatted(layout.cqn()));
    this.queues = queues;
    view = new CqeView(this, layout.cqn(), diagnosis);
    payload = new CqePayload(memory, layout.cqn());
    expansion =
        layout.compression() == CqeCompression.NONE
            ? null
            : new CqeExpansion(this, layout.compression(), layout.miniFormat());
    logBytes = Integer.numberOfTrailingZeros(layout.cqeBytes());
    cqn = layout.cqn();
    record = layout.doorbellRecord();
    register = layout.register();
    place(layout);
  }

  /**
   * Sets the queue's device, before anything completes.
   *
   * @param owner name of the device
   * @param layer link layer of its ports, which determines the format of datagram entries
   */
  public void belongTo(String owner, LinkLayer layer) {
    device = owner;
    view.readAs(layer);
  }

  private void place(CompletionRingLayout layout) {
    // In a 128-byte entry the completion is the second half.
    base = layout.address() + layout.cqeBytes() - Cqe.BYTES;
    logEntries = layout.logEntries();
    mask = (1 << logEntries) - 1;
  }

  /**
   * Continues in a new ring after the device did: copies unpolled entries, up to the one with which
   * the device marked the end of the old ring. Mirrors {@code cq.c: mlx5_cq_resize_copy_cqes}.
   *
   * @param layout the new ring, initialized; its entries have the size of the old ones
   * @throws IllegalStateException when the mark is missing, or the new ring is too small for the
   *     unpolled entries; nothing changed
   */
  public synchronized void moveTo(CompletionRingLayout layout) {
    int end = consumer;
    while (isWhole(end)
        && Cqe.opcode(lastWord(slot(end))) != CqeOpcode.RESIZE_CQ
        && end - consumer <= mask) {
      end++;
    }
    if (!isWhole(end) || Cqe.opcode(lastWord(slot(end))) != CqeOpcode.RESIZE_CQ) {
      throw new IllegalStateException(
          "the device did not mark the end of the old ring of CQ 0x%x".formatted(cqn));
    }
    if (end - consumer >= 1 << layout.logEntries()) {
      throw new IllegalStateException(
          "the device gave CQ 0x%x a ring of %d entries, and %d are not polled"
              .formatted(cqn, 1 << layout.logEntries(), end - consumer));
    }
    long half = (1L << logBytes) - Cqe.BYTES;
    long oldBase = base;
    int oldMask = mask;
    int first = consumer;
    place(layout);
    for (int index = first; index != end; index++) {
      // Each index grows by one, because the mark takes up one.
      long to = slot(index + 1);
      long from = oldBase + ((long) (index & oldMask) << logBytes);
      Memory.copy(from - half, to - half, half + Cqe.LAST_WORD);
      Memory.putLong(to + Cqe.LAST_WORD, moved(Memory.getLong(from + Cqe.LAST_WORD), index + 1));
    }
    marks++;
    consumer = first + 1;
    Memory.putIntRelease(record + DoorbellRecord.CQ_SET_CI, consumer & CqArm.INDEX_MASK);
  }

  /** The last word of an entry that is moved to another index. */
  private long moved(long last, int index) {
    int owner = index >>> logEntries & Cqe.OWNER_MASK;
    return expansion == null
        ? last & ~(long) Cqe.OWNER_MASK | owner
        : expansion.moved(last, index, logEntries);
  }

  /**
   * Consumes completions.
   *
   * @param max how many at most
   * @return how many the handler took
   * @throws IllegalStateException when an entry makes no sense; it is consumed all the same, unless
   *     it is compressed
   */
  public int poll(CompletionHandler handler, int max) {
    return isReady() ? drain(handler, max) : 0;
  }

  /**
   * Consumes completions; there is at least one. This is a separate method because polls that find
   * nothing, as in a wait loop, would otherwise make the JIT treat completions as rare and not
   * inline their code.
   */
  private int drain(CompletionHandler handler, int max) {
    CqeView target = view;
    int count = 0;
    long words = 0;
    while (count < max) {
      // A poll that found this many likely finds more. Shorter polls do not pay for it.
      if (count % AHEAD == 0 && count > 0) {
        words |= readAhead();
      }
      if (!advance(target)) {
        break;
      }
      count++;
      handler.completed(target);
    }
    seen = words;
    return count;
  }

  /**
   * Reads a word of each of the next entries at once, if all are there and the ring does not wrap
   * among them: they are in the cache of the processor that wrote them, and waiting for all of them
   * together costs hardly more than waiting for one.
   *
   * @return those words, or-ed
   */
  private long readAhead() {
    int index = consumer;
    int last = index + AHEAD - 1;
    if ((last & mask) < AHEAD - 1 || !isOwned(lastWord(slot(last)), last)) {
      return 0;
    }
    long stride = 1L << logBytes;
    long at = slot(index);
    // Unrolled: the JIT compiles a loop to several times as much code.
    return Memory.getNativeLong(at)
        | Memory.getNativeLong(at + stride & AddressBits.ALIGNED_64)
        | Memory.getNativeLong(at + 2 * stride & AddressBits.ALIGNED_64)
        | Memory.getNativeLong(at + 3 * stride & AddressBits.ALIGNED_64)
        | Memory.getNativeLong(at + 4 * stride & AddressBits.ALIGNED_64)
        | Memory.getNativeLong(at + 5 * stride & AddressBits.ALIGNED_64)
        | Memory.getNativeLong(at + 6 * stride & AddressBits.ALIGNED_64);
  }

  /**
   * Consumes one completion.
   *
   * @return the view of it, valid until the next poll; null when there is none
   * @throws IllegalStateException when the entry makes no sense; it is consumed all the same,
   *     unless it is compressed
   */
  public @Nullable Completion poll() {
    CqeView target = view;
    return advance(target) ? target : null;
  }

  /** True when a poll would consume an entry. */
  public boolean isReady() {
    int index = consumer;
    return isOwned(lastWord(slot(index)), index);
  }

  /**
   * Asks for one event.
   *
   * @param solicitedOnly true for an event only when a solicited or a failed completion arrives
   */
  public void arm(boolean solicitedOnly) {
    int command = CqArm.record(armSequence, solicitedOnly, consumer);
    Memory.putIntRelease(record + DoorbellRecord.CQ_ARM, command);
    Memory.fullFence();
    Memory.putLongRelease(register, CqArm.register(command, cqn));
  }

  /** Notes that an event of this queue was taken, so that the next arm command counts as new. */
  public void eventTaken() {
    armSequence++;
  }

  int logEntries() {
    return logEntries;
  }

  /** True when the receives under a user index belong to a striding queue. */
  boolean hasStrides(int userIndex) {
    return queues.find(userIndex).receive instanceof StridingRing;
  }

  /** Size of the ring in entries. */
  public int entries() {
    return mask + 1;
  }

  /**
   * Redirects the doorbells to unused memory from now on. Call it when the device no longer writes
   * entries.
   */
  public synchronized void close() {
    poller = otherOwner();
    end();
    record = Parking.RECORD;
    register = Parking.REGISTER;
    if (poller == null) {
      dropUnpolled();
    }
  }

  @Override
  synchronized void usedAfterEnd() {
    if (Thread.currentThread().equals(poller)) {
      poller = null;
      dropUnpolled();
    }
  }

  /** Discards the entries of a queue pair that was reset: they will not be delivered. */
  public void discard(int qpn) {
    for (int index = consumer; ; index++) {
      if (!isWhole(index) || index - consumer > mask) {
        return;
      }
      long cqe = slot(index);
      long last = lastWord(cqe);
      if (Cqe.qpn(last) == qpn && drop(cqe, last)) {
        if (expansion != null) {
          expansion.noteDropped(index);
        }
        Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(NOBODY, 0));
        Memory.putLong(cqe + Cqe.LAST_WORD, last | (long) NOBODY << 32);
      }
    }
  }

  /**
   * Drops all entries, for good: those of closed queue pairs still occupy requests of shared
   * receive queues, which other queue pairs need.
   */
  private void dropUnpolled() {
    int index = consumer;
    for (; index - consumer <= mask && isWhole(index); index++) {
      long cqe = slot(index);
      int userIndex = Cqe.userIndex(Memory.getLong(cqe + Cqe.UIDX_IMMEDIATE_WORD));
      WorkQueues owner = queues.find(userIndex);
      if (owner.isClosed() && owner.userIndex == userIndex) {
        owner.drop(lastWord(cqe));
      }
    }
    // If a handler closes the queue, its poll takes no further entry.
    consumer = index;
    closed = true;
  }

  /** Drops an entry of a queue pair; false for an entry of a shared queue, which is not reset. */
  private boolean drop(long cqe, long last) {
    int userIndex = Cqe.userIndex(Memory.getLong(cqe + Cqe.UIDX_IMMEDIATE_WORD));
    WorkQueues owner = queues.find(userIndex);
    if (!owner.owns(Cqe.qpn(last), userIndex)) {
      return true;
    }
    if (owner.isShared()) {
      return false;
    }
    owner.drop(last);
    return true;
  }

  /** The state that the next poll would read. */
  public CompletionRingState state() {
    int index = consumer;
    return new CompletionRingState(
        index, index & mask, index >>> logEntries & Cqe.OWNER_MASK, lastWord(slot(index)));
  }

  /** How many entries polls have taken at least, 24 bits. Any thread may call it. */
  synchronized int taken() {
    return Memory.getIntAcquire(record + DoorbellRecord.CQ_SET_CI) - marks & CqArm.INDEX_MASK;
  }

  /**
   * True when no poll will take, or still has to find the queues of, an entry from before a time.
   * Any thread may call it; false may be out of date.
   *
   * @param takenThen as {@link #taken} returned at that time
   * @param entriesThen that the ring had then
   */
  synchronized boolean isPast(int takenThen, int entriesThen) {
    if (poller != null && !poller.isAlive()) {
      poller = null;
      dropUnpolled();
    }
    // A queue that is polled seldom is empty at some time, and a busy one is seldom empty.
    return closed
        || poller == null && (isEmpty() || (taken() - takenThen & CqArm.INDEX_MASK) >= entriesThen);
  }

  /** True when no entry waits for a poll, and no poll still has to find the queues of one. */
  private boolean isEmpty() {
    long released = record + DoorbellRecord.CQ_SET_CI;
    int before = Memory.getIntAcquire(released);
    int next = consumer;
    boolean nothing = (next & CqArm.INDEX_MASK) == before && !isOwned(lastWord(slot(next)), next);
    // The device can't have used the slot for a later entry if nothing was released meanwhile.
    return nothing && Memory.getIntAcquire(released) == before;
  }

  /**
   * The queues of the queue pair with a number; tries the queue pair of the last completion first.
   */
  WorkQueues owner(int qpn) {
    WorkQueues likely = lastOwner;
    boolean isOpen = likely.qpnInCqe >= 0;
    return isOpen && likely.qpn == qpn ? likely : queues.ofQueuePair(qpn);
  }

  /**
   * Number of polled completions, modulo 2^32. Threads other than the poller may read a stale
   * number.
   */
  public int polled() {
    return consumer;
  }

  /** Cumulative index of the entry that was consumed last. */
  int lastIndex() {
    return consumer - 1;
  }

  /**
   * Address of the 64 bytes of the slot of an index. It is computed each time because a field for
   * the next entry would cost each poll a store and a load.
   */
  long slot(int index) {
    return base + ((long) (index & mask) << logBytes) & AddressBits.ALIGNED_64;
  }

  private static long lastWord(long entry) {
    return Memory.getLongAcquire(entry + Cqe.LAST_WORD);
  }

  private boolean isOwned(long last, int index) {
    return (((int) last ^ index >>> logEntries) & Cqe.OWNER_MASK) == 0
            && Cqe.opcode(last) != CqeOpcode.INVALID
        || expansion != null && expansion.isOwned(last, index, logEntries);
  }

  /**
   * True when there is an entry and it is not compressed, or could be expanded. All entries before
   * it must be expanded.
   */
  private boolean isWhole(int index) {
    long last = lastWord(slot(index));
    return isOwned(last, index)
        && (expansion == null
            || Cqe.format(last) != Cqe.FORMAT_COMPRESSED
            || expansion.expand(index, last, index == consumer ? view : null) == null);
  }

  /**
   * Expands the next entry if it is compressed.
   *
   * @return its last word after that
   * @throws IllegalStateException when it is invalid. It is not consumed, because the position of
   *     the next one is unknown.
   */
  private long whole(long entry, long last, int index) {
    if (expansion == null || Cqe.format(last) != Cqe.FORMAT_COMPRESSED) {
      return last;
    }
    String problem = expansion.expand(index, last, view);
    if (problem != null) {
      throw new IllegalStateException(
          ("completion %d of CQ 0x%x %s. What follows can't be read: create the queue with the"
                  + " layout of compression that the device writes, or without any")
              .formatted(Integer.toUnsignedLong(index), cqn, problem));
    }
    return lastWord(entry);
  }

  /** Loads the next completion that has an owner into the view. */
  private boolean advance(CqeView target) {
    while (true) {
      int index = consumer;
      long entry = slot(index);
      long last = lastWord(entry);
      WorkQueues likely = lastOwner;
      int pass = index >>> logEntries & Cqe.OWNER_MASK;
      if (((last ^ likely.qpnInCqe ^ pass) & PLAIN_REQUEST) == 0) {
        target.load(entry, last);
        release(index);
        if (likely.send.complete(Cqe.wqeCounter(last), target)) {
          return true;
        }
      } else if (!isOwned(last, index)) {
        return false;
      } else if (takeOther(entry, whole(entry, last, index), index, target)) {
        return true;
      }
    }
  }

  /**
   * Takes an entry other than a plain send completion of the last queue. Plain send completions of
   * other queues, and plain receives, still take a fast path.
   *
   * @return false when it has no owner
   */
  private boolean takeOther(long entry, long last, int index, CqeView target) {
    target.load(entry, last);
    WorkQueues owner = lastOwner;
    if (((last ^ owner.qpnInCqe) & QPN_AND_FORMAT) != 0) {
      owner = queues.find(target.userIndex());
      if (((last ^ owner.qpnInCqe) & QPN_AND_FORMAT) != 0) {
        return takeAny(entry, last, index, target);
      }
      lastOwner = owner;
    }
    int opcode = Cqe.opcode(last);
    if (opcode == CqeOpcode.REQ) {
      release(index);
      return owner.send.complete(Cqe.wqeCounter(last), target);
    }
    if (!(owner.receive instanceof ReceiveRing receives) || opcode > CqeOpcode.RESP_SEND_INV) {
      return takeAny(entry, last, index, target);
    }
    target.loadSource(entry);
    release(index);
    return receives.complete(Cqe.wqeCounter(last), target);
  }

  /** Takes any entry, and loads all its fields. */
  private boolean takeAny(long entry, long last, int index, CqeView target) {
    target.loadSource(entry);
    target.loadTag(entry);
    if (Cqe.format(last) != 0) {
      payload.take(entry, Cqe.format(last), 1 << logBytes);
    }
    // Once the entry is released, its user index can be given to another queue pair.
    WorkQueues owner = find(last, target);
    release(index);
    boolean told = complete(owner, last, target);
    if (told && !target.isSuccess()) {
      tellFailure(target);
    }
    return told;
  }

  private void tellFailure(CqeView failed) {
    if (Recorder.isThere() && CompletionFailedEvent.isRecorded()) {
      CompletionFailedEvent.tell(
          device,
          cqn,
          failed.queuePairNumber(),
          failed.id,
          failed.opcode().name(),
          failed.status().name(),
          failed.syndrome(),
          failed.vendorSyndrome(),
          failed.explanation());
    }
  }

  /** Takes an entry off the ring, so that its slot can be used again. */
  private void release(int index) {
    int next = index + 1;
    consumer = next;
    // Before the handler runs: it may post requests whose completions need this slot.
    long setConsumer = record + DoorbellRecord.CQ_SET_CI & AddressBits.ALIGNED_4;
    Memory.putIntRelease(setConsumer, next & CqArm.INDEX_MASK);
  }

  /** Returns the queues that an entry names, which may not be those of its queue pair. */
  private WorkQueues find(long last, CqeView target) {
    WorkQueues owner = lastOwner;
    // If a queue pair has no receive queue of its own, the user index identifies its receives.
    if (owner.qpnInCqe < 0 || owner.qpn != Cqe.qpn(last) || owner.receive == null) {
      owner = queues.find(target.userIndex());
      lastOwner = owner;
    }
    return owner;
  }

  private boolean complete(WorkQueues owner, long last, CqeView target) {
    if (!owner.owns(Cqe.qpn(last), target.userIndex())) {
      skipClosed(owner, last);
      return false;
    }
    if (owner.receive instanceof TagMatchingRing tags) {
      return completeTag(tags, last, target);
    }
    if (Cqe.format(last) != 0) {
      land(owner, last, target);
    }
    return switch (Cqe.opcode(last)) {
      case CqeOpcode.REQ, CqeOpcode.REQ_ERR -> completeSend(owner, Cqe.wqeCounter(last), target);
      case CqeOpcode.RESP_SEND,
          CqeOpcode.RESP_WR_IMM,
          CqeOpcode.RESP_SEND_IMM,
          CqeOpcode.RESP_SEND_INV,
          CqeOpcode.RESP_ERR ->
          completeReceive(receiveOf(owner), last, target);
      default -> throw unexpected("has opcode " + CqeOpcode.name(Cqe.opcode(last)));
    };
  }

  private boolean completeTag(TagMatchingRing tags, long last, CqeView target) {
    int opcode = Cqe.opcode(last);
    if (opcode != CqeOpcode.NO_PACKET && !WorkQueues.isResponse(opcode)) {
      throw unexpected("has opcode %s, and is for %s".formatted(CqeOpcode.name(opcode), tags));
    }
    if (Cqe.format(last) != 0) {
      landTag(tags, last, target);
    }
    return tags.complete(last, target);
  }

  private void landTag(TagMatchingRing tags, long last, CqeView target) {
    requireData(last);
    if (!tags.land(last, payload, target)) {
      throw unexpected(
          "has format %d, opcode %s and operation 0x%x of %s, which have no data inside"
              .formatted(
                  Cqe.format(last), CqeOpcode.name(Cqe.opcode(last)), target.tagOperation(), tags));
    }
  }

  private boolean completeStride(StridingRing strides, long last, CqeView target) {
    if (Cqe.opcode(last) == CqeOpcode.RESP_WR_IMM) {
      strides.drop(Cqe.wqeCounter(last));
      throw unexpected("has opcode RESP_WR_IMM, and is for %s".formatted(strides));
    }
    return strides.complete(last, target);
  }

  private static boolean completeSend(WorkQueues owner, int counter, CqeView target) {
    StreamRing streams = owner.streams;
    return streams == null
        ? owner.send.complete(counter, target)
        : streams.complete(counter, target);
  }

  private boolean completeReceive(Receives receives, long last, CqeView target) {
    int counter = Cqe.wqeCounter(last);
    // No call through the interface, whose targets the JIT would not inline.
    if (receives instanceof SharedReceiveRing shared) {
      return shared.complete(counter, target);
    }
    return receives instanceof StridingRing strides
        ? completeStride(strides, last, target)
        : ((ReceiveRing) receives).complete(counter, target);
  }

  /** Copies data inside an entry to the memory that its request names. */
  private void land(WorkQueues owner, long last, CqeView target) {
    requireData(last);
    int counter = Cqe.wqeCounter(last);
    switch (Cqe.opcode(last)) {
      case CqeOpcode.REQ -> owner.send.land(counter, payload, target);
      case CqeOpcode.RESP_SEND, CqeOpcode.RESP_SEND_IMM, CqeOpcode.RESP_SEND_INV ->
          landReceive(receiveOf(owner), counter, target);
      default ->
          throw unexpected(
              "has data inside and opcode %s".formatted(CqeOpcode.name(Cqe.opcode(last))));
    }
  }

  private void requireData(long last) {
    if (!payload.isThere()) {
      throw unexpected(
          Cqe.format(last) == Cqe.FORMAT_COMPRESSED
              ? "is compressed, and the queue was created without compression"
              : "has format 2, which entries of 64 bytes have no room for");
    }
  }

  private void landReceive(Receives receives, int counter, CqeView target) {
    if (receives instanceof SharedReceiveRing shared) {
      shared.land(counter, payload, target);
    } else if (receives instanceof StridingRing strides) {
      strides.drop(counter);
      throw unexpected("has data inside, and is for %s".formatted(strides));
    } else {
      ((ReceiveRing) receives).land(counter, payload, target);
    }
  }

  private Receives receiveOf(WorkQueues owner) {
    Receives receive = owner.receive;
    if (receive == null) {
      throw unexpected("is for the receive queue of QP 0x%x, which has none".formatted(owner.qpn));
    }
    return receive;
  }

  /** Skips an entry of a closed queue pair. Any other entry is an error. */
  private void skipClosed(WorkQueues owner, long last) {
    int userIndex = view.userIndex();
    if (userIndex == NOBODY) {
      return;
    }
    if (owner.isClosed()) {
      if (owner.userIndex == userIndex) {
        owner.drop(last);
      }
      return;
    }
    throw unexpected(
        queues.isKnown(userIndex)
            ? "names QP 0x%x with user index %d, which belongs to QP 0x%x"
                .formatted(Cqe.qpn(last), userIndex, owner.qpn)
            : "names user index %d, which no queue pair ever had".formatted(userIndex));
  }

  private IllegalStateException unexpected(String what) {
    return new IllegalStateException(
        "completion %d of CQ 0x%x %s".formatted(Integer.toUnsignedLong(lastIndex()), cqn, what));
  }
}
