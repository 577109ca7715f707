package dev.bluebell.verbs.ring;

import dev.bluebell.hca.command.MemoryCommands.Klm;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.hca.wqe.RepeatEntry;
import dev.bluebell.hca.wqe.RepeatSegment;
import dev.bluebell.hca.wqe.UmrSegment;

/**
 * Builds requests that change memory keys (UMR), one at a time: bind and invalidate windows, and
 * compose keys of other keys. Mirrors {@code qp.c: set_umr_wqe}. Each send ring reuses one; it
 * belongs to the posting thread.
 */
public final class KeyRequest {
  private static final int UNIT = ControlSegment.BYTES;
  private static final int CONTEXT = UNIT + UmrSegment.BYTES;
  private static final int RANGE = CONTEXT + UNIT;
  private static final int ENTRIES = CONTEXT + 64;
  private static final long MAX_PIECE = 1L << 31;
  private static final int MAX_STRIDE = (1 << 16) - 1;
  private static final int PLAIN = UmrSegment.INLINE;
  private static final int WINDOW = UmrSegment.INLINE | UmrSegment.TRANSLATION_OFFSET_EN;
  private final SendRing ring;
  private SendRequest<?> request;
  private int flags;
  private long mask;
  private long start;
  private int entries;
  private long length;

  // Turns of an interleaved layout; 0 for other layouts.
  private int turns;

  /** Opcode in the completion, see {@link CqeView}; 0 for UMR. */
  private int name;

  public KeyRequest(SendRing ring) {
    this.ring = ring;
    request = ring.last();
  }

  /**
   * Starts to bind a window to memory.
   *
   * @param current its key before
   * @param next its key from then on
   * @param typeTwo whether it is then bound to this queue pair only
   * @param rights at their places in the context
   * @param from address by which peers name the first byte
   */
  public KeyRequest bind(int current, int next, boolean typeTwo, long rights, long from) {
    begin(
        current,
        WINDOW | (typeTwo ? UmrSegment.CHECK_FREE : 0),
        MkeyMask.BIND | (typeTwo ? MkeyMask.QPN : 0),
        owner(typeTwo ? ring.qpn() : Mkc.ANY_QPN, next) | rights);
    start = from;
    name = CqeView.BIND;
    return this;
  }

  /**
   * Starts to invalidate a window. Mirrors IBV_WR_LOCAL_INV in libmlx5; the key then has the tag 0.
   *
   * @param current the window's key
   */
  public KeyRequest invalidate(int current) {
    return unbind(current, 0, true);
  }

  /**
   * Starts to invalidate a window, as binding zero bytes does.
   *
   * @param next its key from then on
   */
  public KeyRequest unbind(int current, int next, boolean typeTwo) {
    begin(
        current,
        WINDOW | (typeTwo ? UmrSegment.CHECK_QPN : 0),
        MkeyMask.UNBIND | (typeTwo ? MkeyMask.QPN : 0),
        Mkc.FREE.place(1) | owner(Mkc.ANY_QPN, next));
    name = CqeView.INVALIDATE;
    return this;
  }

  /**
   * Starts to change a composed key; its new pieces follow, if any.
   *
   * @param changesRights whether it gets {@code rights}
   */
  public KeyRequest configure(int key, boolean changesRights, long rights) {
    begin(
        key,
        PLAIN,
        MkeyMask.UNBIND | (changesRights ? MkeyMask.RIGHTS : 0),
        owner(Mkc.ANY_QPN, key) | rights);
    return this;
  }

  private static long owner(int qpn, int key) {
    return Mkc.QPN.place(qpn) | Mkc.MKEY_7_0.place(key);
  }

  private void begin(int key, int umrFlags, long mkeyMask, long firstOfContext) {
    // May refuse, and must not change the request before it.
    request = ring.changeKey(key);
    flags = umrFlags;
    mask = mkeyMask;
    start = 0;
    entries = 0;
    length = 0;
    turns = 0;
    name = 0;
    for (int at = UNIT; at < CONTEXT; at += UNIT) {
      request.segment(0, 0);
    }
    request.segment(firstOfContext, 0);
    for (int at = RANGE; at < ENTRIES; at += UNIT) {
      request.segment(0, 0);
    }
  }

  /** Adds a piece to a list, or the piece to which a window is bound. */
  public KeyRequest piece(long address, long bytes, int lkey) {
    if (bytes < 1 || bytes > MAX_PIECE) {
      throw refuse("a piece has 1 to 2^31 bytes, not %d".formatted(bytes));
    }
    mask |= MkeyMask.LEN;
    length += bytes;
    entries++;
    request.segment(Klm.BYTE_COUNT.place(bytes) | Klm.MKEY.place(lkey), address);
    return this;
  }

  /** Makes the layout interleaved. */
  public KeyRequest repeat(int count) {
    if (count < 1) {
      throw refuse("an interleaved layout has at least 1 turn, not %d".formatted(count));
    }
    turns = count;
    entries++;
    request.segment(0, 0);
    return this;
  }

  /** Adds a piece to each turn. */
  public KeyRequest piece(long address, int bytes, int skip, int lkey) {
    if (bytes < 1 || skip < 0 || bytes > MAX_STRIDE - skip) {
      throw refuse(
          "a piece of a turn has at least 1 byte and, with the bytes skipped after it, at most %d, not %d and %d"
              .formatted(MAX_STRIDE, bytes, skip));
    }
    mask |= MkeyMask.LEN;
    length += bytes;
    entries++;
    request.segment(
        RepeatEntry.STRIDE.place(bytes + skip)
            | RepeatEntry.BYTE_COUNT.place(bytes)
            | RepeatEntry.MKEY.place(lkey),
        address);
    return this;
  }

  private IllegalArgumentException refuse(String why) {
    ring.dropUnfinished();
    return new IllegalArgumentException(why);
  }

  /** Number of entries so far, of 16 bytes each. */
  public int entries() {
    return entries;
  }

  /** Bytes of all pieces so far. */
  public long length() {
    return turns == 0 ? length : length * turns;
  }

  public KeyRequest fence() {
    SendRequest<?> unused = request.fence();
    return this;
  }

  /** Ends the request, see {@link dev.bluebell.verbs.RequestEnd#signaled}. */
  public void signaled(long id) {
    complete();
    request.signaled(id);
    end();
  }

  /** Ends the request, see {@link dev.bluebell.verbs.RequestEnd#unsignaled}. */
  public void unsignaled(long id) {
    complete();
    request.unsignaled(id);
    end();
  }

  private void end() {
    if (name != 0) {
      ring.name(name);
    }
    ring.oweFence();
  }

  private void complete() {
    int octowords = UmrSegment.octowords(entries);
    for (int i = entries; i < octowords; i++) {
      request.segment(0, 0);
    }
    if (turns > 0) {
      request.patch(
          ENTRIES,
          RepeatSegment.BYTE_COUNT.place(length) | RepeatSegment.OP.place(RepeatSegment.OPERATION),
          RepeatSegment.REPEAT_COUNT.place(turns) | RepeatSegment.NUM_ENT.place(entries - 1));
    }
    request.patch(
        UNIT, UmrSegment.FLAGS.place(flags) | UmrSegment.KLM_OCTOWORDS.place(octowords), mask);
    request.patch(RANGE, start, length());
  }
}
