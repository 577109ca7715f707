package dev.bluebell.softnic.translation;

import dev.bluebell.hca.command.MemoryCommands.Klm;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.hca.wqe.RepeatEntry;
import dev.bluebell.hca.wqe.RepeatSegment;
import java.util.stream.LongStream;

/**
 * The change of a memory key that a UMR describes: the fields of its context that change, and its
 * new translation. Reads the device's own copy of the request. Reused; owned by the thread that
 * runs the engine.
 */
public final class KeyUpdate {
  private static final int UNIT = 16;

  private static final long[] BITS = {
    MkeyMask.LEN,
    MkeyMask.PAGE_SIZE,
    MkeyMask.START_ADDR,
    MkeyMask.PD,
    MkeyMask.EN_RINVAL,
    MkeyMask.KEY,
    MkeyMask.QPN,
    MkeyMask.LR,
    MkeyMask.LW,
    MkeyMask.RR,
    MkeyMask.RW,
    MkeyMask.A,
    MkeyMask.SMALL_FENCE,
    MkeyMask.RELAXED_ORDERING_WRITE,
    MkeyMask.FREE,
    MkeyMask.RELAXED_ORDERING_READ
  };

  private static final Field[] FIELDS = {
    Mkc.LEN,
    Mkc.LOG_PAGE_SIZE,
    Mkc.START_ADDR,
    Mkc.PD,
    Mkc.EN_RINVAL,
    Mkc.MKEY_7_0,
    Mkc.QPN,
    Mkc.LR,
    Mkc.LW,
    Mkc.RR,
    Mkc.RW,
    Mkc.A,
    Mkc.SMALL_FENCE_ON_RDMA_READ_RESPONSE,
    Mkc.RELAXED_ORDERING_WRITE,
    Mkc.FREE,
    Mkc.RELAXED_ORDERING_READ
  };

  private static final long KNOWN = LongStream.of(BITS).reduce(0, (one, other) -> one | other);

  private long mask;
  private long context;

  /**
   * Sets the change.
   *
   * @param mkeyMask see {@link MkeyMask}
   * @param mkc address of the new context
   */
  public KeyUpdate of(long mkeyMask, long mkc) {
    mask = mkeyMask;
    context = mkc;
    return this;
  }

  /** The bits of mkey_mask that this device does not know. */
  public long unknown() {
    return mask & ~KNOWN;
  }

  /** A field of the new context; 0 when it does not change. */
  private long changed(long bit, Field field) {
    return (mask & bit) != 0 ? field.get(Memory.getLong(context + field.word())) : 0;
  }

  /** True when the change moves the key to another domain. */
  public boolean changesDomain(int pd) {
    return (mask & MkeyMask.PD) != 0 && changed(MkeyMask.PD, Mkc.PD) != pd;
  }

  /** True when the change makes the key longer than the memory behind it. */
  public boolean isLonger(MemoryKey key) {
    long length = changed(MkeyMask.LEN, Mkc.LEN);
    return length < 0 || length > key.extent();
  }

  /** True when the change makes the key free. */
  public boolean frees() {
    return changed(MkeyMask.FREE, Mkc.FREE) != 0;
  }

  /**
   * True when the new context names an owner, but the mask does not select it and the key has no
   * owner.
   */
  public boolean leavesOwner(MemoryKey key) {
    int qpn = Mkc.QPN.getInt(Memory.getLong(context + Mkc.QPN.word()));
    return (mask & MkeyMask.QPN) == 0 && qpn != Mkc.ANY_QPN && !key.isOwned();
  }

  /** mkey_mask. */
  public long mask() {
    return mask;
  }

  boolean hasStart() {
    return (mask & MkeyMask.START_ADDR) != 0;
  }

  /** Writes the fields that change into a context. */
  void copyTo(byte[] mkc) {
    for (int i = 0; i < BITS.length; i++) {
      if ((mask & BITS[i]) != 0) {
        FIELDS[i].set(mkc, 0, changed(BITS[i], FIELDS[i]));
      }
    }
  }

  /**
   * Applies the change to a key. The caller has checked it.
   *
   * @param entries address of the entries of the new translation
   * @param count entries of the new translation; 0 leaves the translation as it is
   * @param octowords klm_octowords, for explanations
   */
  public void apply(
      KeyTable keys, MemoryKey key, long entries, int count, int qpn, int wqeIndex, int octowords) {
    keys.change(key, this);
    if (count > 0) {
      fill(key, entries, count);
    } else if ((mask & MkeyMask.PAGE_SIZE) != 0 && key.isOfPages()) {
      key.entries().resize(1L << key.logPageSize());
    }
    key.lastChange().umr(qpn, wqeIndex, octowords);
  }

  // ---- translations

  /** True when a translation begins with a block that repeats. */
  public static boolean isRepeated(long entries) {
    return RepeatSegment.OP.get(Memory.getLong(entries + RepeatSegment.OP.word()))
        == RepeatSegment.OPERATION;
  }

  /**
   * True when a repeating block is valid: its pieces are present, and add up to the bytes of one
   * repetition.
   *
   * @param count entries of 16 bytes that are present, the head included
   */
  public static boolean isRightRepeat(long entries, int count) {
    long second = Memory.getLong(entries + Long.BYTES);
    int pieces = RepeatSegment.NUM_ENT.getInt(second);
    if (pieces == 0 || pieces >= count || RepeatSegment.REPEAT_COUNT.get(second) == 0) {
      return false;
    }
    long bytes = 0;
    for (int i = 1; i <= pieces; i++) {
      bytes += RepeatEntry.BYTE_COUNT.get(Memory.getLong(entries + (long) i * UNIT));
    }
    return bytes > 0 && bytes == RepeatSegment.BYTE_COUNT.get(Memory.getLong(entries));
  }

  /**
   * Replaces the entries of an indirect key.
   *
   * @param entries address of the new ones
   */
  public static void fill(MemoryKey key, long entries, int count) {
    Indirection into = key.entries();
    into.clear();
    if (key.isOfPages()) {
      fillPages(into, entries, count, 1L << key.logPageSize());
    } else if (isRepeated(entries)) {
      fillRepeat(into, entries);
    } else {
      for (int i = 0; i < count; i++) {
        long at = entries + (long) i * UNIT;
        long first = Memory.getLong(at);
        into.add(Klm.MKEY.getInt(first), Memory.getLong(at + 8), Klm.BYTE_COUNT.get(first), 0);
      }
    }
  }

  // Zero entries after the last one are padding.
  private static void fillPages(Indirection into, long entries, int count, long bytes) {
    for (int i = 0; i < count; i++) {
      long at = entries + (long) i * UNIT;
      int mkey = Klm.MKEY.getInt(Memory.getLong(at));
      if (mkey == 0) {
        return;
      }
      into.add(mkey, Memory.getLong(at + 8), bytes, 0);
    }
  }

  private static void fillRepeat(Indirection into, long entries) {
    long second = Memory.getLong(entries + Long.BYTES);
    into.repeat(RepeatSegment.REPEAT_COUNT.get(second));
    int pieces = RepeatSegment.NUM_ENT.getInt(second);
    for (int i = 1; i <= pieces; i++) {
      long at = entries + (long) i * UNIT;
      long first = Memory.getLong(at);
      into.add(
          RepeatEntry.MKEY.getInt(first),
          Memory.getLong(at + 8),
          RepeatEntry.BYTE_COUNT.get(first),
          RepeatEntry.STRIDE.getInt(first));
    }
  }
}
