package dev.bluebell.verifier;

import dev.bluebell.hca.command.MemoryCommands.Klm;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.hca.wqe.RepeatEntry;
import dev.bluebell.hca.wqe.RepeatSegment;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.hca.wqe.WqeSegment;
import dev.bluebell.program.image.Right;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Contents of a key that UMRs change: its context, followed by the entries of its translation,
 * which name other keys. Immutable.
 */
final class KeyContents {
  private static final int CONTEXT = Mkc.STRUCTURE.bytes();
  private static final int ENTRY = 16;

  /** Alignment in bytes of a UMR's translation in memory (M226). */
  private static final int TRANSLATION_ALIGNMENT = 2048;

  /** Fields that a UMR may change, by the bit that selects them. */
  private static final Map<Long, Field> FIELDS =
      Map.of(
          MkeyMask.LEN, Mkc.LEN,
          MkeyMask.START_ADDR, Mkc.START_ADDR,
          MkeyMask.KEY, Mkc.MKEY_7_0,
          MkeyMask.LR, Mkc.LR,
          MkeyMask.LW, Mkc.LW,
          MkeyMask.RR, Mkc.RR,
          MkeyMask.RW, Mkc.RW,
          MkeyMask.A, Mkc.A,
          MkeyMask.FREE, Mkc.FREE);

  private final byte[] bytes;

  KeyContents(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Contents of a free key, with room for {@code entries} entries. As in keys that libmlx5 creates,
   * local reading is granted.
   */
  static byte[] free(int key, int entries) {
    byte[] bytes = new byte[CONTEXT + ENTRY * entries];
    Mkc.FREE.set(bytes, 0, 1);
    Mkc.LR.set(bytes, 0, 1);
    Mkc.MKEY_7_0.set(bytes, 0, key & 0xff);
    return bytes;
  }

  /** A part of a translation. */
  interface Part {
    /** Accepts bytes of another key. */
    void take(int key, long address, int length);
  }

  /**
   * Calls {@code part} for each part of a range, in order.
   *
   * @param named the key in the request
   * @param right right that the request needs; null to read locally
   */
  void follow(int named, @Nullable Right right, long address, int length, Part part) {
    if (get(Mkc.FREE) != 0 || get(Mkc.MKEY_7_0) != (named & 0xff)) {
      throw new IllegalRequest("names key 0x%x, which is not in use at that time", named);
    }
    if (right == null && get(Mkc.LR) == 0) {
      throw new IllegalRequest(
          "reads locally through key 0x%x, which does not grant it (lr=0)", named);
    }
    if (right != null && get(field(right)) == 0) {
      throw new IllegalRequest("needs the right %s to key 0x%x", right, named);
    }
    long offset = address - get(Mkc.START_ADDR);
    if (offset < 0 || get(Mkc.LEN) < 0 || offset > get(Mkc.LEN) - length) {
      throw new IllegalRequest(
          "names %d bytes at 0x%x, which are not in key 0x%x", length, address, named);
    }
    boolean isRepeated = isRepeated(bytes, CONTEXT);
    int count =
        isRepeated
            ? (int) RepeatSegment.NUM_ENT.get(bytes, CONTEXT)
            : (bytes.length - CONTEXT) / ENTRY;
    long turns = isRepeated ? RepeatSegment.REPEAT_COUNT.get(bytes, CONTEXT) : 1;
    long perTurn = turnBytes(bytes, CONTEXT, count, isRepeated);
    if (perTurn == 0) {
      throw new IllegalRequest("names key 0x%x, which has no translation", named);
    }
    long turn = offset / perTurn;
    long skip = offset % perTurn;
    int left = length;
    for (; left > 0 && turn < turns; turn++) {
      for (int i = 0; i < count && left > 0; i++) {
        int at = CONTEXT + ENTRY * (isRepeated ? i + 1 : i);
        long size = size(bytes, at, isRepeated);
        int bytesHere = (int) Math.min(left, size - skip);
        if (bytesHere > 0) {
          long stride = isRepeated ? RepeatEntry.STRIDE.get(bytes, at) : 0;
          part.take(
              (int) Klm.MKEY.get(bytes, at),
              Klm.ADDRESS.get(bytes, at) + turn * stride + skip,
              bytesHere);
          left -= bytesHere;
        }
        skip = Math.max(0, skip - size);
      }
    }
    if (left > 0) {
      throw new IllegalRequest("reaches beyond the translation of key 0x%x", named);
    }
  }

  private long get(Field field) {
    return field.get(bytes, 0);
  }

  private static Field field(Right right) {
    return switch (right) {
      case LOCAL_WRITE -> Mkc.LW;
      case REMOTE_READ -> Mkc.RR;
      case REMOTE_WRITE -> Mkc.RW;
      case REMOTE_ATOMIC -> Mkc.A;
    };
  }

  private static boolean isRepeated(byte[] entries, int at) {
    return RepeatSegment.OP.get(entries, at) == RepeatSegment.OPERATION;
  }

  private static long size(byte[] entries, int at, boolean isRepeated) {
    return isRepeated ? RepeatEntry.BYTE_COUNT.get(entries, at) : Klm.BYTE_COUNT.get(entries, at);
  }

  private static long turnBytes(byte[] entries, int from, int count, boolean isRepeated) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += size(entries, from + ENTRY * (isRepeated ? i + 1 : i), isRepeated);
    }
    return bytes;
  }

  // ---- UMRs

  private static int offset(Request umr) {
    return umr.form().offset(WqeSegment.UMR);
  }

  private static int translationBytes(Request umr) {
    return ENTRY * (int) UmrSegment.KLM_OCTOWORDS.get(umr.bytes(), offset(umr));
  }

  /** Location of a UMR's translation; null when it is inline. */
  static @Nullable Piece translation(Request umr) {
    int length = translationBytes(umr);
    int at = umr.form().fixedBytes();
    int room = umr.bytes().length - at;
    int flags = (int) UmrSegment.FLAGS.get(umr.bytes(), offset(umr));
    boolean inline = length == 0 || (flags & UmrSegment.INLINE) != 0;
    if (inline ? length > room : room != DataSegment.BYTES) {
      throw new IllegalRequest(
          "has ds %d, and a translation of %d bytes %s",
          Request.ds(umr.bytes()), length, inline ? "in the WQE" : "elsewhere");
    }
    if (inline) {
      return null;
    }
    // The segment's length field is not used here.
    int lkey = (int) DataSegment.LKEY.get(umr.bytes(), at);
    long address = DataSegment.ADDRESS.get(umr.bytes(), at);
    if (address % TRANSLATION_ALIGNMENT != 0) {
      throw new IllegalRequest(
          "has its translation at 0x%x, which is not a multiple of %d",
          address, TRANSLATION_ALIGNMENT);
    }
    return new Piece(at, length, lkey, address, false);
  }

  /** The inline translation of a UMR. */
  static byte[] inlineTranslation(Request umr) {
    int from = umr.form().fixedBytes();
    return Arrays.copyOfRange(umr.bytes(), from, from + translationBytes(umr));
  }

  /**
   * The contents after a UMR has changed the key.
   *
   * @param translation translation of the UMR, from its WQE or from memory
   */
  byte[] changedBy(Request umr, byte[] translation) {
    check(umr, translation);
    byte[] changed = bytes.clone();
    byte[] context = context(umr);
    long mask = UmrSegment.MKEY_MASK.get(umr.bytes(), offset(umr));
    FIELDS.forEach(
        (bit, field) -> {
          if ((mask & bit) != 0) {
            field.set(changed, 0, field.get(context, 0));
          }
        });
    int taken = translation.length / ENTRY / UmrSegment.OCTOWORDS_UNIT;
    if (taken > 0) {
      Arrays.fill(changed, CONTEXT, changed.length, (byte) 0);
      int length = taken * UmrSegment.OCTOWORDS_UNIT * ENTRY;
      System.arraycopy(translation, 0, changed, CONTEXT, length);
    }
    return changed;
  }

  private static byte[] context(Request umr) {
    int from = umr.form().offset(WqeSegment.MKEY);
    return Arrays.copyOfRange(umr.bytes(), from, from + CONTEXT);
  }

  private void check(Request umr, byte[] translation) {
    long mask = UmrSegment.MKEY_MASK.get(umr.bytes(), offset(umr));
    long unknown = mask & ~FIELDS.keySet().stream().reduce(0L, (a, b) -> a | b);
    long owner = Mkc.QPN.get(context(umr), 0);
    if ((unknown & ~MkeyMask.QPN) != 0 || unknown != 0 && owner != Mkc.ANY_QPN) {
      throw new IllegalRequest(
          "has mkey_mask 0x%x, of which 0x%x is not supported in a chain", mask, unknown);
    }
    int flags = (int) UmrSegment.FLAGS.get(umr.bytes(), offset(umr));
    boolean isFree = get(Mkc.FREE) != 0;
    if (isFree
        ? (flags & UmrSegment.CHECK_NOT_FREE) != 0
        : (flags & UmrSegment.CHECK_FREE) != 0 || get(Mkc.MKEY_7_0) != (umr.changedKey() & 0xff)) {
      throw new IllegalRequest(
          "changes key 0x%x, which is %s at that time",
          umr.changedKey(), isFree ? "free" : "in use");
    }
    if (UmrSegment.TRANSLATION_OFFSET.get(umr.bytes(), offset(umr)) != 0) {
      throw new IllegalRequest(
          "has a translation_offset or bsf_octowords, which a chain does not support");
    }
    if (translation.length > bytes.length - CONTEXT) {
      throw new IllegalRequest(
          "brings %d entries for key 0x%x, which has room for %d",
          translation.length / ENTRY, umr.changedKey(), (bytes.length - CONTEXT) / ENTRY);
    }
    if (translation.length >= ENTRY && isRepeated(translation, 0)) {
      int count = (int) RepeatSegment.NUM_ENT.get(translation, 0);
      if (RepeatSegment.REPEAT_COUNT.get(translation, 0) == 0) {
        throw new IllegalRequest("has a repeat block with repeat_count 0");
      }
      if (count == 0
          || (count + 1) * ENTRY > translation.length
          || turnBytes(translation, 0, count, true)
              != RepeatSegment.BYTE_COUNT.get(translation, 0)) {
        throw new IllegalRequest("has a repeat block whose entries do not add up");
      }
    }
  }
}
