package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.softnic.translation.Umem;
import java.nio.ByteBuffer;

/**
 * A ring that holds completions back for a while, and compresses those that differ only in the
 * fields of a {@link MiniCqe}. Owned by the thread that runs the engine.
 *
 * <p>The completions held back form a session: consecutive entries of the ring with the same title.
 */
abstract sealed class CompressingRing extends CompletionRing
    permits BasicCompression, EnhancedCompression {

  /** Stride of completions without a stride. */
  private static final int NO_STRIDE = -1;

  private final Compression compression;
  private final long[] minis;

  // The title: the arguments of write.
  private long flags;
  private long uidxImmediate;
  private int qpn;
  private int opOwn;
  private int counter;
  private boolean isStrided;

  // The first completion that is held.
  private long firstTime;
  private int firstCounter;
  private int firstStride = NO_STRIDE;

  private int held;

  // Number of completions that were compressed, and of their sessions.
  private long compressed;
  private long sessions;

  // The completion that is passed to write.
  private int stride = NO_STRIDE;
  private long path;
  private long titlePath;

  private final ByteBuffer newest = ByteBuffer.allocate(Cqe.BYTES);

  CompressingRing(
      Umem memory,
      long ring,
      int logSize,
      int logStride,
      Umem recordMemory,
      long record,
      boolean ignoreOverrun,
      Compression compression,
      int session) {
    super(memory, ring, logSize, logStride, recordMemory, record, ignoreOverrun);
    this.compression = compression;
    minis = new long[session];
  }

  /** Holds back or writes an entry that can be compressed. */
  abstract void take(
      long titleFlags,
      long titleUidxImmediate,
      long byteCount,
      long time,
      int sendOpcode,
      int titleQpn,
      int wqeIndex,
      int titleOpOwn);

  /** Writes the completions that are held; there is at least one. */
  abstract void writeHeld();

  /** Name of the layout. */
  abstract String layout();

  /** Ends the title: the next entry does not become one. */
  abstract void endTitle();

  @Override
  final void write(
      long entryFlags,
      long entryUidxImmediate,
      long byteCount,
      long timestampOrError,
      int sendOpcode,
      int entryQpn,
      int wqeIndex,
      int entryOpOwn) {
    noteNewest(
        entryFlags,
        entryUidxImmediate,
        byteCount,
        timestampOrError,
        successWord(sendOpcode, entryQpn, wqeIndex, entryOpOwn));
    if (isCompressible(byteCount, entryOpOwn)) {
      take(
          entryFlags,
          entryUidxImmediate,
          byteCount,
          timestampOrError,
          sendOpcode,
          entryQpn,
          wqeIndex,
          entryOpOwn);
    } else {
      flush();
      endTitle();
      writeWhole(
          entryFlags,
          entryUidxImmediate,
          byteCount,
          timestampOrError,
          successWord(sendOpcode, entryQpn, wqeIndex, entryOpOwn));
    }
  }

  @Override
  final void writeError(long entryUidxImmediate, long error, long last) {
    noteNewest(0, entryUidxImmediate, 0, error, last);
    flush();
    endTitle();
    writeWhole(0, entryUidxImmediate, 0, error, last & ~validity());
  }

  /** Bits of the last word, besides the owner bit, that say whether an entry is valid. */
  abstract long validity();

  /** Writes an uncompressed entry. */
  final void writeWhole(
      long entryFlags, long entryUidxImmediate, long byteCount, long time, long last) {
    put(
        entryFlags,
        entryUidxImmediate,
        byteCount,
        time,
        last | generation(producer()),
        stride,
        path);
  }

  private void put(
      long entryFlags,
      long entryUidxImmediate,
      long byteCount,
      long time,
      long last,
      int ofStride,
      long ofPath) {
    if (ofStride != NO_STRIDE) {
      placeStride(Cqe.wqeCounter(last), ofStride);
    }
    if (ofPath != 0) {
      super.path(ofPath);
    }
    put(entryFlags, entryUidxImmediate, byteCount, time, last);
    if (ofPath != 0) {
      super.path(0);
    }
    if (ofStride != NO_STRIDE) {
      clearStride();
    }
  }

  private boolean isCompressible(long byteCount, int entryOpOwn) {
    return Cqe.opcode(entryOpOwn) <= CqeOpcode.RESP_SEND_INV
        && Cqe.format(entryOpOwn) == 0
        && byteCount >>> Integer.SIZE == 0
        && isHeadZero()
        && (stride == NO_STRIDE || compression.tellsStrides());
  }

  /** The part of an entry's index that its last word contains. */
  abstract int generation(int index);

  // Data in front of an entry must be in the entry's own slot, and in no other.

  @Override
  final void head(long first, long second) {
    flush();
    super.head(first, second);
  }

  @Override
  final void path(long word) {
    path = word;
  }

  @Override
  final void stride(int wqeIndex, int index) {
    stride = index;
  }

  @Override
  final void endStride() {
    stride = NO_STRIDE;
  }

  @Override
  final void write(
      long data,
      int format,
      long entryFlags,
      long entryUidxImmediate,
      long byteCount,
      long timestamp,
      int sendOpcode,
      int entryQpn,
      int wqeIndex,
      int entryOpOwn) {
    flush();
    if (path != 0) {
      super.path(path);
    }
    super.write(
        data,
        format,
        entryFlags,
        entryUidxImmediate,
        byteCount,
        timestamp,
        sendOpcode,
        entryQpn,
        wqeIndex,
        entryOpOwn);
  }

  // ---- the session

  /** Makes a completion the title that later completions have to fit. */
  final void title(
      long titleFlags, long titleUidxImmediate, int titleQpn, int wqeIndex, int titleOpOwn) {
    flags = titleFlags;
    uidxImmediate = titleUidxImmediate;
    qpn = titleQpn;
    counter = wqeIndex;
    opOwn = titleOpOwn;
    isStrided = stride != NO_STRIDE;
    titlePath = path;
  }

  /**
   * True when a completion differs from the title only in the fields of a mini entry.
   *
   * @param after how many completions it comes after the title's
   */
  final boolean fits(
      long entryFlags,
      long entryUidxImmediate,
      int entryQpn,
      int wqeIndex,
      int entryOpOwn,
      int after) {
    return entryOpOwn == opOwn
        && entryQpn == qpn
        && entryUidxImmediate == uidxImmediate
        && entryFlags == flags
        && path == titlePath
        && isStrided == (stride != NO_STRIDE)
        && (isRequester() || (counterOf(after) & 0xffff) == (wqeIndex & 0xffff));
  }

  // Strides of one WQE have its index; a mini entry can't express another WQE's.
  private int counterOf(int after) {
    return isStrided ? counter : counter + after;
  }

  private boolean isRequester() {
    return Cqe.opcode(opOwn) == CqeOpcode.REQ;
  }

  /** Holds a completion back. */
  final void hold(long byteCount, long time, int sendOpcode, int wqeIndex) {
    if (held == 0) {
      firstTime = time;
      firstCounter = wqeIndex;
      firstStride = stride;
    }
    minis[held] =
        isRequester()
            ? MiniCqe.ofRequester(wqeIndex, sendOpcode, (int) byteCount)
            : isStrided
                ? MiniCqe.ofStride(stride, (int) byteCount)
                : MiniCqe.ofResponder((int) byteCount);
    held++;
    if (held == 1) {
      compression.begin();
    }
  }

  /** Number of completions that are held back. */
  final int held() {
    return held;
  }

  /** Time of the first completion that is held back. */
  final long heldSince() {
    return firstTime;
  }

  /** The mini entry of a completion that is held back; 0 after the last. */
  final long mini(int index) {
    return index < held ? minis[index] : 0;
  }

  final int firstCounter() {
    return firstCounter;
  }

  /** Writes the first completion that is held, uncompressed. */
  final void writeFirst() {
    counter = firstCounter;
    put(
        flags,
        uidxImmediate,
        MiniCqe.BYTE_CNT.get(minis[0]),
        firstTime,
        titleWord() | generation(producer()),
        firstStride,
        titlePath);
  }

  /** Writes a title that stands for this many completions. */
  final void writeTitle(int completions) {
    int marked = (int) Cqe.FORMAT.place(Cqe.FORMAT_COMPRESSED) | generation(producer());
    put(flags, uidxImmediate, completions, firstTime, titleWord() | marked, firstStride, titlePath);
  }

  private long titleWord() {
    int sendOpcode = isRequester() ? MiniCqe.SEND_OPCODE.getInt(minis[0]) : 0;
    return successWord(sendOpcode, qpn, firstCounter, opOwn);
  }

  /** True when the session has the most completions that a session may have. */
  final boolean isFull() {
    return held == minis.length || held == size() || compression.isOver();
  }

  /** See {@link Compression#isDaring}. */
  final boolean isDaring() {
    return compression.isDaring();
  }

  /** True when an index is that of the first slot of a pass. */
  final boolean isAtStart(int index) {
    return (index & size() - 1) == 0;
  }

  @Override
  final void settle() {
    flush();
    endTitle();
  }

  /** Writes the completions that are held back. */
  final void flush() {
    if (held > 0) {
      writeHeld();
      compressed += held > 1 ? held : 0;
      sessions += held > 1 ? 1 : 0;
      held = 0;
      compression.written(Cqe.solicited(opOwn));
    }
  }

  // ---- differences from a ring that writes everything at once

  @Override
  final boolean isHolding() {
    return held > 0;
  }

  @Override
  final int nextIndex() {
    return producer() + held;
  }

  @Override
  final boolean hasRoom() {
    return hasRoom(nextIndex());
  }

  private void noteNewest(
      long entryFlags, long entryUidxImmediate, long byteCount, long time, long last) {
    boolean strided = stride != NO_STRIDE;
    newest
        .putLong(Cqe.WQE_ID.word(), strided ? Cqe.WQE_ID.place(Cqe.wqeCounter(last)) : 0)
        .putLong(Cqe.PATH_WORD, path | (strided ? Cqe.strideWord(stride) : 0))
        .putLong(Cqe.FLAGS_RQPN_WORD, entryFlags)
        .putLong(Cqe.UIDX_IMMEDIATE_WORD, entryUidxImmediate)
        .putLong(Cqe.BYTE_COUNT_WORD, byteCount)
        .putLong(Cqe.TIMESTAMP_WORD, time)
        .putLong(Cqe.LAST_WORD, last);
  }

  @Override
  final void newest(byte[] cqe) {
    newest.get(0, cqe);
  }

  @Override
  void release() {
    held = 0;
    super.release();
  }

  @Override
  public final String toString() {
    return "%s compression holds %d back; completions written together: %d, sessions: %d"
        .formatted(layout(), held, compressed, sessions);
  }
}
