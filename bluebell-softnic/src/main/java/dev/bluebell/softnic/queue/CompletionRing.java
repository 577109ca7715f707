package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The ring that a completion queue is written to: one entry at a time, the word with the owner bit
 * last. Owned by the thread that runs the engine.
 *
 * <p>Invariant of raw access: the ring of {@code 2^logSize} entries and the doorbell record lie
 * inside umems that this object holds in use; the creating command checked that.
 */
sealed class CompletionRing permits CompressingRing, FaultyRing {
  private static final long STRIDE_BITS = Cqe.strideWord(0xffff);
  private static final int INDEX_MASK = 0xffffff;
  private static final int CQE_WORDS = Cqe.LAST_WORD / Long.BYTES;

  // Words of inline data in front of the one that otherwise holds flags_rqpn; they are 0 then.
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

  // Which bits of an index choose its entry: those of the mask, or none where all completions are
  // written to the first entry.
  private int slotMask;

  // All of a CQE but its last word.
  private final long[] words = new long[CQE_WORDS];

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

  /** Has every completion written to the first entry, before the first of them. */
  final void collapse() {
    slotMask = 0;
  }

  /** Sets byte 62 of the completions that succeed, before the first of them. */
  final void sign(int value) {
    signature = Cqe.SIGNATURE.place(value);
  }

  /** The last word of a completion that succeeded, without its owner bit. */
  final long successWord(int sendOpcode, int qpn, int wqeIndex, int opOwn) {
    return Cqe.lastWord(sendOpcode, qpn, wqeIndex, opOwn) | signature;
  }

  /** Gives the memory back; nothing may use the ring afterwards. */
  void release() {
    memory.release();
    recordMemory.release();
  }

  /** Index behind the entries that are written, counted since the queue's creation. */
  int producer() {
    return producer;
  }

  /** Index of the next entry that {@link #write} is given. */
  int nextIndex() {
    return producer;
  }

  /** True when the entry that was given last is not written yet. */
  boolean isHolding() {
    return false;
  }

  /**
   * Lets the entry that was given last raise an event as a solicited one does; false when it is
   * written already, and whoever hears of it is to be told now.
   */
  boolean solicit() {
    settle();
    return false;
  }

  /** Writes what is held back, and lets nothing that follows depend on it. */
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

  /** Entries that can be written now; at least that many. */
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

  /** Entries that software has not consumed yet, as its doorbell record says. */
  int unconsumed() {
    return producer - consumer() & INDEX_MASK;
  }

  /** The arm command that software wrote. */
  int armCommand() {
    return Memory.getIntAcquire(record + DoorbellRecord.CQ_ARM);
  }

  /** What the first 16 bytes of the entries that follow are. */
  void head(long first, long second) {
    words[0] = first;
    words[1] = second;
  }

  /**
   * Writes the next entry, for which there is room. The owner bit travels with the last word, so
   * that a poller which sees it sees the whole entry.
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

  /** Writes the next entry. */
  final void put(long flags, long uidxImmediate, long byteCount, long timestampOrError, long last) {
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

  /** Address of the CQE of an entry. */
  final long slot(int index) {
    return firstCqe + ((long) (index & slotMask) << logStride) & Memory.ADDRESS_BITS;
  }

  /** log2 of {@link #size}. */
  final int logSize() {
    return logSize;
  }

  /** Leaves entries out that {@link #put} does not write. */
  final void skip(int entries) {
    producer += entries;
  }

  /** Those words of the next entry that do not come with {@link #write}. */
  final long[] front() {
    return Arrays.copyOf(words, INLINE_WORDS);
  }

  /** Sets them for the entry that {@link #put} writes next. */
  final void front(long[] first) {
    System.arraycopy(first, 0, words, 0, first.length);
  }

  /** True when those words of the next entry are 0 that do not come with {@link #write}. */
  final boolean isHeadZero() {
    return (words[0] | words[1] | words[2]) == 0;
  }

  /** Adds slid and ml_path to the entry that is written next; 0 takes all of them out again. */
  void path(long word) {
    int at = Cqe.PATH_WORD / Long.BYTES;
    words[at] = word == 0 ? words[at] & STRIDE_BITS : words[at] | word;
  }

  /**
   * Makes the entries that are written from now on those of a stride.
   *
   * @param wqeIndex of the WQE that it is in
   */
  void stride(int wqeIndex, int index) {
    placeStride(wqeIndex, index);
  }

  /** The entries that are written from now on are of no stride. */
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

  /** Copies the CQE that was given last. */
  void newest(byte[] cqe) {
    Memory.copyTo(slot(producer - 1), MemorySegment.ofArray(cqe), 0, cqe.length);
  }

  /**
   * Goes on in another ring.
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
