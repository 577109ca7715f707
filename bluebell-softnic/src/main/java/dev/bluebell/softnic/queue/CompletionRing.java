package dev.bluebell.softnic.queue;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a completion queue, written one entry at a time, or those of a {@link
 * CompletionBatch} together; the word with the owner bit is always the last of its entry. Owned by
 * the thread that runs the engine.
 *
 * <p>Invariant of raw access: the ring of {@code 2^logSize} entries and the doorbell record lie
 * inside umems that this object holds in use; the creating command checked that.
 */
sealed class CompletionRing permits CompressingRing, FaultyRing {
  private static final int INDEX_MASK = 0xffffff;
  private static final int CQE_WORDS = Cqe.LAST_WORD / Long.BYTES;

  private final Umem recordMemory;
  private final long record;
  private final boolean ignoreOverrun;

  // log2 of an entry's bytes: in one of 128, the CQE is the second half.
  private final int logStride;

  private Umem memory;
  private long firstCqe;
  private int logSize;
  private int mask;

  // The bits of an index that select its entry: those of the mask, or 0 when all completions are
  // written to the first entry.
  private int slotMask;

  // All of the next CQE but its last word; the first three are 0.
  private final long[] words = new long[CQE_WORDS];

  // Null for a ring that holds nothing back.
  private @Nullable CompletionBatch batch;

  // Where the batch holds entries back.
  private long heldAt;
  private int heldEntries;

  private int producer;
  private int seenConsumer;

  /**
   * @param cqc context of the queue
   */
  CompletionRing(CqMemory place, View cqc) {
    memory = place.ring();
    recordMemory = place.record();
    record = place.recordAddress();
    logStride = CompletionQueue.logStride(cqc);
    ignoreOverrun = cqc.isSet(Cqc.OI);
    memory.use(1);
    recordMemory.use(1);
    place(place.firstEntry(), cqc.getInt(Cqc.LOG_CQ_SIZE));
  }

  private void place(long ring, int newLogSize) {
    firstCqe = ring + (1L << logStride) - Cqe.BYTES;
    logSize = newLogSize;
    mask = (1 << newLogSize) - 1;
    slotMask = mask;
  }

  /**
   * Holds entries back while a batch is open; called before the first one. Rings that hold entries
   * back for other reasons do not join.
   */
  void join(CompletionBatch held) {
    batch = held;
  }

  /** True when a batch holds its entries back while it is open. */
  final boolean hasJoined() {
    return batch != null;
  }

  /** Sets the arming that entries which were held back are reported to. */
  void attach(Arming hears) {}

  /** Writes every completion to the first entry from now on; called before the first one. */
  final void collapse() {
    slotMask = 0;
  }

  /** Releases the memory; nothing may use the ring afterwards. */
  void release() {
    memory.use(-1);
    recordMemory.use(-1);
  }

  /** Index after the last written entry, counted since the queue's creation. */
  int producer() {
    return producer;
  }

  /** Index of the next entry that is passed to {@link #write}. */
  int nextIndex() {
    return producer;
  }

  /** True when the newest entry is not written yet. */
  boolean isHolding() {
    return false;
  }

  /**
   * Makes the newest entry raise an event like a solicited one; returns false when it is already
   * written, so the caller has to raise the event now.
   */
  boolean solicit() {
    settle();
    return false;
  }

  /** Writes the entries that are held back; no later entry depends on them. */
  void settle() {}

  /** Entries that the ring holds. */
  int size() {
    return mask + 1;
  }

  /** True when it only looks full, which it has explained itself. */
  boolean pretendsFull() {
    return false;
  }

  /** Consumer index as last read, or as read now when the ring looked full. */
  int seenConsumer() {
    return seenConsumer;
  }

  /** True when another entry can be written. */
  boolean hasRoom() {
    return hasRoom(producer);
  }

  /** True when an entry with an index can be written. */
  final boolean hasRoom(int index) {
    return (index - seenConsumer & INDEX_MASK) <= mask || makesRoom(index);
  }

  /** Lower bound of the number of entries that can be written now. */
  int room() {
    return hasRoom() ? mask + 1 - (nextIndex() - seenConsumer & INDEX_MASK) : 0;
  }

  private boolean makesRoom(int index) {
    seenConsumer = ignoreOverrun ? index : consumer();
    return (index - seenConsumer & INDEX_MASK) <= mask;
  }

  /** The consumer index that software wrote, 24 bits. */
  int consumer() {
    return Memory.getIntAcquire(record + DoorbellRecord.CQ_SET_CI) & INDEX_MASK;
  }

  /** Number of entries that software has not consumed yet, by its doorbell record. */
  int unconsumed() {
    return producer - consumer() & INDEX_MASK;
  }

  /** Reads the record and the newest entries, as many as can have been held back, and the next. */
  final void touch() {
    long sum = consumer();
    for (int index = producer - CompletionBatch.ENTRIES; index <= producer; index++) {
      sum += Memory.getLong(slot(index));
    }
    long unused = sum;
  }

  /** The arm command that software wrote. */
  int armCommand() {
    return Memory.getIntAcquire(record + DoorbellRecord.CQ_ARM);
  }

  /**
   * Writes the next entry, for which there is room, with bytes 0–23 of 0. The owner bit is in the
   * last word, so a poller that sees it sees the whole entry.
   *
   * @param last without the owner bit
   */
  void write(long flags, long uidxImmediate, long byteCount, long timestampOrError, long last) {
    long owned = last | owner();
    CompletionBatch open = batch;
    if (open != null && open.isOpen()) {
      build(open, flags, uidxImmediate, byteCount, timestampOrError, owned);
      return;
    }
    long[] cqe = words;
    cqe[Cqe.FLAGS_RQPN_WORD / Long.BYTES] = flags;
    cqe[Cqe.UIDX_IMMEDIATE_WORD / Long.BYTES] = uidxImmediate;
    cqe[Cqe.BYTE_COUNT_WORD / Long.BYTES] = byteCount;
    cqe[Cqe.TIMESTAMP_WORD / Long.BYTES] = timestampOrError;
    put(cqe, owned);
  }

  /** Writes a completion as the next entry, for which there is room. */
  void write(Completion next) {
    if (batch != null) {
      batch.publish();
    }
    put(next, next.last() | owner());
  }

  private int owner() {
    return producer >>> logSize & Cqe.OWNER_MASK;
  }

  /** Writes a completion as the next entry at once, with another last word. */
  final void put(Completion next, long last) {
    if (next.data() != 0) {
      Memory.copy(next.data(), slot(producer) - Cqe.BYTES, Cqe.BYTES);
    }
    put(next.words(), last);
  }

  /** Writes the next entry at once. */
  final void put(long[] cqe, long last) {
    long slot = slot(producer);
    Memory.putLongs(slot, cqe, CQE_WORDS);
    Memory.putLongRelease(slot + Cqe.LAST_WORD, last);
    producer++;
  }

  /** Builds the next entry in a batch. */
  private void build(
      CompletionBatch open,
      long flags,
      long uidxImmediate,
      long byteCount,
      long timestamp,
      long last) {
    if (heldEntries == 0) {
      heldAt = open.add(this);
    }
    long entry = heldAt + (long) heldEntries * Cqe.BYTES;
    Memory.putLong(entry + Cqe.FLAGS_RQPN_WORD, flags);
    Memory.putLong(entry + Cqe.UIDX_IMMEDIATE_WORD, uidxImmediate);
    Memory.putLong(entry + Cqe.BYTE_COUNT_WORD, byteCount);
    Memory.putLong(entry + Cqe.TIMESTAMP_WORD, timestamp);
    // With the wrong owner, an entry whose bytes are copied in any order is not valid yet.
    Memory.putLong(entry + Cqe.LAST_WORD, last ^ Cqe.OWNER_MASK);
    heldEntries++;
    producer++;
    if (heldEntries == CompletionBatch.ENTRIES || (producer & mask) == 0) {
      open.publish();
    }
  }

  /** Writes the entries that a batch holds back, with those of all other rings. */
  final void publish() {
    if (heldEntries > 0 && batch != null) {
      batch.publish();
    }
  }

  /** Writes the entries that a batch holds back. */
  final void writeBatch() {
    int entries = heldEntries;
    if (entries == 0) {
      return;
    }
    heldEntries = 0;
    long slot = slot(producer - entries);
    if (entries == 1) {
      // Word by word, as it was built: a wider read would wait for the store buffer.
      for (long at = 0; at < Cqe.LAST_WORD; at += Long.BYTES) {
        Memory.putNativeLong(slot + at, Memory.getNativeLong(heldAt + at));
      }
    } else {
      Memory.copy(heldAt, slot, (long) entries * Cqe.BYTES);
    }
    for (long at = Cqe.LAST_WORD; at < (long) entries * Cqe.BYTES; at += Cqe.BYTES) {
      Memory.putLongRelease(slot + at, Memory.getLong(heldAt + at) ^ Cqe.OWNER_MASK);
    }
  }

  /** Address of the CQE of an entry. */
  final long slot(int index) {
    return firstCqe + ((long) (index & slotMask) << logStride) & Memory.ADDRESS_BITS;
  }

  /** log2 of {@link #size}. */
  final int logSize() {
    return logSize;
  }

  /** Skips entries, which are not written here. */
  final void skip(int entries) {
    producer += entries;
  }

  /** Copies the newest CQE. */
  void newest(byte[] cqe) {
    publish();
    Memory.copyTo(slot(producer - 1), MemorySegment.ofArray(cqe), 0, cqe.length);
  }

  /**
   * Continues in another ring.
   *
   * @param newRing address of the ring, whose entries are of the same size, inside {@code inside}
   */
  void move(Umem inside, long newRing, int newLogSize) {
    inside.use(1);
    memory.use(-1);
    memory = inside;
    place(newRing, newLogSize);
  }
}
