package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.structure.View;
import java.nio.ByteBuffer;

/**
 * A ring that holds completions back for a while, and compresses those that differ only in the
 * fields of a {@link MiniCqe}. Owned by the thread that runs the engine.
 *
 * <p>The completions held back form a session: consecutive entries of the ring with the same title.
 */
abstract sealed class CompressingRing extends CompletionRing
    permits BasicCompression, EnhancedCompression {

  private final Compression compression;
  private final long[] minis;

  // The completion that later ones have to be like.
  private final Completion title = new Completion();

  // The first completion that is held.
  private final Completion first = new Completion();

  // The newest completion, written or not.
  private final Completion newest = new Completion();

  private int held;

  // Number of completions that were compressed, and of their sessions.
  private long compressed;
  private long sessions;

  private final Completion plain = new Completion();

  CompressingRing(CqMemory place, View cqc, Compression compression, int session) {
    super(place, cqc);
    this.compression = compression;
    minis = new long[session];
  }

  /** Holds back or writes a completion that can be compressed. */
  abstract void take(Completion next);

  /** Writes the completions that are held; there is at least one. */
  abstract void writeHeld();

  /** Name of the layout. */
  abstract String layout();

  /** Ends the title: the next entry does not become one. */
  abstract void endTitle();

  @Override
  final void join(CompletionBatch held) {}

  @Override
  final void attach(Arming hears) {
    compression.attach(this, hears);
  }

  @Override
  final void write(
      long flags, long uidxImmediate, long byteCount, long timestampOrError, long last) {
    write(plain.set(flags, uidxImmediate, byteCount, timestampOrError, last));
  }

  @Override
  final void write(Completion next) {
    newest.set(next);
    if (isCompressible(next)) {
      take(next);
    } else {
      flush();
      endTitle();
      writeWhole(next);
    }
  }

  /** Bits of the last word, besides the owner bit, that say whether an entry is valid. */
  abstract long validity();

  /** Writes an uncompressed entry. */
  final void writeWhole(Completion next) {
    put(next, next.last() & ~validity() | generation(producer()));
  }

  private boolean isCompressible(Completion next) {
    return next.opcode() <= CqeOpcode.RESP_SEND_INV
        && next.isPlain()
        && (!next.isStrided() || compression.tellsStrides());
  }

  /** The part of an entry's index that its last word contains. */
  abstract int generation(int index);

  // ---- the session

  /** Makes a completion the title that later completions have to fit. */
  final void title(Completion next) {
    title.set(next);
  }

  /**
   * True when a completion differs from the title only in the fields of a mini entry.
   *
   * @param after how many completions it comes after the title's
   */
  final boolean fits(Completion next, int after) {
    return next.isLike(title)
        && (isRequester(next) || (counterOf(after) & 0xffff) == next.wqeIndex());
  }

  // Strides of one WQE have its index; a mini entry can't express another WQE's.
  private int counterOf(int after) {
    return title.isStrided() ? title.wqeIndex() : title.wqeIndex() + after;
  }

  private static boolean isRequester(Completion of) {
    return of.opcode() == CqeOpcode.REQ;
  }

  /** Holds a completion back. */
  final void hold(Completion next) {
    if (held == 0) {
      first.set(next);
    }
    minis[held] = mini(next);
    held++;
    if (held == 1) {
      compression.begin();
    }
  }

  private static long mini(Completion of) {
    if (isRequester(of)) {
      return MiniCqe.ofRequester(of.wqeIndex(), Cqe.sendOpcode(of.last()), of.byteCount());
    }
    return of.isStrided()
        ? MiniCqe.ofStride(of.stride(), of.byteCount())
        : MiniCqe.ofResponder(of.byteCount());
  }

  /** Number of completions that are held back. */
  final int held() {
    return held;
  }

  /** Time of the first completion that is held back. */
  final long heldSince() {
    return first.time();
  }

  /** The mini entry of a completion that is held back; 0 after the last. */
  final long mini(int index) {
    return index < held ? minis[index] : 0;
  }

  final int firstCounter() {
    return first.wqeIndex();
  }

  /** Writes the first completion that is held, uncompressed, and makes it the title. */
  final void writeFirst() {
    title(first);
    writeWhole(first);
  }

  /** Writes the first completion that is held as a title that stands for this many completions. */
  final void writeTitle(int completions) {
    first.represent(completions);
    writeWhole(first);
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
      compression.written(title.isSolicited());
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

  @Override
  final void newest(byte[] cqe) {
    ByteBuffer.wrap(cqe).asLongBuffer().put(newest.words());
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
