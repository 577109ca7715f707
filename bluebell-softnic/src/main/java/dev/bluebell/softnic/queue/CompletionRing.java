package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
  private static final long STRIDE_BITS = Cqe.strideWord(0xffff);
  private static final int INDEX_MASK = 0xffffff;
  private static final int CQE_WORDS = Cqe.LAST_WORD / Long.BYTES;

  // Words of inline data before the one that otherwise holds flags_rqpn; without inline data they
  // are 0.
  private static final int INLINE_WORDS = Cqe.FLAGS_RQPN_WORD / Long.BYTES;

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

  // All of a CQE but its last word.
  private final long[] words = new long[CQE_WORDS];

  // Null for a ring that holds nothing back.
  private @Nullable CompletionBatch batch;

  // Where the batch holds entries back.
  private long heldAt;
  private int heldEntries;

  private int producer;
  private int seenConsumer;

  // Byte 62 of the last word of successes.
  private long signature;

  /**
   * @param ring address of the ring inside {@code memory}
   * @param record address of the doorbell record inside {@code recordMemory}
   * @param ignoreOverrun whether entries that are not consumed are written over
   */
  CompletionRing(
      Umem memory,
      long ring,
      int logSize,
      int logStride,
      Umem recordMemory,
      long record,
      boolean ignoreOverrun) {
    this.memory = memory;
    this.recordMemory = recordMemory;
    this.record = record;
    this.logStride = logStride;
    this.ignoreOverrun = ignoreOverrun;
    memory.use();
    recordMemory.use();
    place(ring, logSize);
  }

  private void place(long ring, int newLogSize) {
    firstCqe = ring + (1L << logStride) - Cqe.BYTES;
    logSize = newLogSize;
    mask = (1 << newLogSize) - 1;
    slotMask = mask;
  }

  /** Holds entries back while a batch is open; called before the first one. */
  final void join(CompletionBatch held) {
    batch = held;
  }

  /** Writes every completion to the first entry from now on; called before the first one. */
  final void collapse() {
    slotMask = 0;
  }

  /** Sets byte 62 of successful completions; called before the first one. */
  final void sign(int value) {
    signature = Cqe.SIGNATURE.place(value);
  }

  /** The last word of a successful completion, without its owner bit. */
  final long successWord(int sendOpcode, int qpn, int wqeIndex, int opOwn) {
    return Cqe.lastWord(sendOpcode, qpn, wqeIndex, opOwn) | signature;
  }

  /** Releases the memory; nothing may use the ring afterwards. */
  void release() {
    memory.release();
    recordMemory.release();
  }

  /** Index after the last written entry, counted since the queue's creation. */
  int producer() {
    return producer;
  }

  /** Index of the next entry that {@link #write} is given. */
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

  /** The arm command that software wrote. */
  int armCommand() {
    return Memory.getIntAcquire(record + DoorbellRecord.CQ_ARM);
  }

  /** Sets the first 16 bytes of the following entries. */
  void head(long first, long second) {
    words[0] = first;
    words[1] = second;
  }

  /**
   * Writes the next entry, for which there is room. The owner bit is in the last word, so a poller
   * that sees it sees the whole entry.
   *
   * @param opOwn byte 63 of the entry without its owner bit
   */
  void write(
      long flags,
      long uidxImmediate,
      long byteCount,
      long timestampOrError,
      int sendOpcode,
      int qpn,
      int wqeIndex,
      int opOwn) {
    int owned = opOwn | producer >>> logSize & Cqe.OWNER_MASK;
    put(
        flags,
        uidxImmediate,
        byteCount,
        timestampOrError,
        successWord(sendOpcode, qpn, wqeIndex, owned));
  }

  /**
   * Writes the completion of a failure, for which there is room.
   *
   * @param last bytes 56–63 of the entry without its owner bit
   */
  void writeError(long uidxImmediate, long error, long last) {
    put(0, uidxImmediate, 0, error, last | producer >>> logSize & Cqe.OWNER_MASK);
  }

  /** Writes the next entry, or holds it back. */
  final void put(long flags, long uidxImmediate, long byteCount, long timestampOrError, long last) {
    CompletionBatch open = batch;
    if (open != null && open.isOpen()) {
      if (isHeadZero()) {
        build(open, flags, uidxImmediate, byteCount, timestampOrError, last);
        return;
      }
      open.publish();
    }
    long slot = slot(producer);
    long[] cqe = words;
    cqe[Cqe.FLAGS_RQPN_WORD / Long.BYTES] = flags;
    cqe[Cqe.UIDX_IMMEDIATE_WORD / Long.BYTES] = uidxImmediate;
    cqe[Cqe.BYTE_COUNT_WORD / Long.BYTES] = byteCount;
    cqe[Cqe.TIMESTAMP_WORD / Long.BYTES] = timestampOrError;
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

  /** Skips entries, which {@link #put} does not write. */
  final void skip(int entries) {
    producer += entries;
  }

  /** The words of the next entry that are not arguments of {@link #write}. */
  final long[] front() {
    return Arrays.copyOf(words, INLINE_WORDS);
  }

  /** Sets those words for the entry that {@link #put} writes next. */
  final void front(long[] first) {
    System.arraycopy(first, 0, words, 0, first.length);
  }

  /** True when the words of the next entry that are not arguments of {@link #write} are 0. */
  final boolean isHeadZero() {
    return (words[0] | words[1] | words[2]) == 0;
  }

  /** Adds slid and ml_path to the entry that is written next; 0 takes all of them out again. */
  void path(long word) {
    int at = Cqe.PATH_WORD / Long.BYTES;
    words[at] = word == 0 ? words[at] & STRIDE_BITS : words[at] | word;
  }

  /**
   * Marks the entries that are written from now on as those of a stride.
   *
   * @param wqeIndex of the WQE that it is in
   */
  void stride(int wqeIndex, int index) {
    placeStride(wqeIndex, index);
  }

  /** Marks the entries that are written from now on as those of no stride. */
  void endStride() {
    clearStride();
  }

  final void placeStride(int wqeIndex, int index) {
    words[Cqe.WQE_ID.word() / Long.BYTES] = Cqe.WQE_ID.place(wqeIndex);
    words[Cqe.PATH_WORD / Long.BYTES] = Cqe.strideWord(index);
  }

  final void clearStride() {
    words[Cqe.WQE_ID.word() / Long.BYTES] = 0;
    words[Cqe.PATH_WORD / Long.BYTES] = 0;
  }

  /**
   * Writes the next entry, for which there is room, with data in it.
   *
   * @param data address of the data: whole 32 bytes, or 64 in format {@link Cqe#FORMAT_INLINE_64}
   * @param flags not written in format {@link Cqe#FORMAT_INLINE_32}, whose data lies there
   * @param opOwn byte 63 of the entry without its format and its owner bit
   */
  void write(
      long data,
      int format,
      long flags,
      long uidxImmediate,
      long byteCount,
      long timestamp,
      int sendOpcode,
      int qpn,
      int wqeIndex,
      int opOwn) {
    long first = flags;
    if (format == Cqe.FORMAT_INLINE_64) {
      Memory.copy(data, slot(producer) - Cqe.BYTES, Cqe.BYTES);
    } else {
      for (int i = 0; i < INLINE_WORDS; i++) {
        words[i] = Memory.getLong(data + (long) i * Long.BYTES);
      }
      first = Memory.getLong(data + Cqe.FLAGS_RQPN_WORD);
    }
    int formatted = opOwn | (int) Cqe.FORMAT.place(format);
    write(first, uidxImmediate, byteCount, timestamp, sendOpcode, qpn, wqeIndex, formatted);
    Arrays.fill(words, 0, INLINE_WORDS, 0);
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
    inside.use();
    memory.release();
    memory = inside;
    place(newRing, newLogSize);
  }
}
