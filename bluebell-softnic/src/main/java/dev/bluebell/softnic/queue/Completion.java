package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.packet.Origin;
import java.util.Arrays;

/**
 * A completion before it has a place in the ring: the eight words of its CQE without the owner bit,
 * and the data in front of the CQE. {@link CompletionQueue#next} begins one and {@link
 * CompletionQueue#complete} writes it. Owned by the thread that runs the engine.
 */
public final class Completion {
  private static final int WQE_ID = Cqe.WQE_ID.word() / Long.BYTES;
  private static final int PATH = Cqe.PATH_WORD / Long.BYTES;
  private static final int FLAGS_RQPN = Cqe.FLAGS_RQPN_WORD / Long.BYTES;
  private static final int UIDX_IMMEDIATE = Cqe.UIDX_IMMEDIATE_WORD / Long.BYTES;
  private static final int BYTE_COUNT = Cqe.BYTE_COUNT_WORD / Long.BYTES;
  private static final int TIMESTAMP = Cqe.TIMESTAMP_WORD / Long.BYTES;
  private static final int LAST = Cqe.LAST_WORD / Long.BYTES;

  // The part of the last word that the completions of a compressed session share.
  private static final long SHARED_LAST = Cqe.QPN.place(-1) | Cqe.OP_OWN.place(-1);
  private static final long STRIDE = Cqe.IB_STRIDE_INDEX.place(-1);

  private final long[] words = new long[Cqe.BYTES / Long.BYTES];
  private long data;
  private boolean strided;

  Completion() {}

  Completion begin(int opcode, int qpn, int userIndex, int wqeIndex) {
    return set(
        0,
        Cqe.uidxImmediateWord(userIndex, 0),
        0,
        0,
        Cqe.lastWord(0, qpn, wqeIndex, Cqe.opOwn(opcode, false, 0)));
  }

  /** Sets bytes 24–63, without the owner bit, and clears the rest. */
  Completion set(long flags, long uidxImmediate, long byteCount, long timestampOrError, long last) {
    Arrays.fill(words, 0, FLAGS_RQPN, 0);
    words[FLAGS_RQPN] = flags;
    words[UIDX_IMMEDIATE] = uidxImmediate;
    words[BYTE_COUNT] = byteCount;
    words[TIMESTAMP] = timestampOrError;
    words[LAST] = last;
    data = 0;
    strided = false;
    return this;
  }

  void set(Completion other) {
    System.arraycopy(other.words, 0, words, 0, words.length);
    data = other.data;
    strided = other.strided;
  }

  /** Sets the opcode of the request that completed. */
  public Completion sendOpcode(int opcode) {
    words[LAST] |= Cqe.SEND_OPCODE.place(opcode);
    return this;
  }

  /** Sets the sender of the message, see {@link Origin}. */
  public Completion sender(long origin) {
    words[FLAGS_RQPN] |= Origin.flagsWord(origin);
    if (Origin.hasPath(origin)) {
      words[PATH] |= Origin.pathWord(origin);
    }
    return this;
  }

  /**
   * Sets the length.
   *
   * @param count bytes; for a stride with {@link Cqe#STRIDE_FIRST} and {@link Cqe#STRIDE_LAST}
   */
  public Completion bytes(int count) {
    words[BYTE_COUNT] |= Cqe.BYTE_CNT.place(count);
    return this;
  }

  /** Sets imm_inval_pkey. */
  public Completion immediate(int value) {
    words[UIDX_IMMEDIATE] |= Cqe.IMM.place(value);
    return this;
  }

  /** Says whether the message asked for a solicited event. */
  public Completion solicited(boolean value) {
    words[LAST] |= Cqe.SOLICITED_EVENT.place(value ? 1 : 0);
    return this;
  }

  /** Makes this the completion of a stride, with the index that the stride has in its WQE. */
  public Completion stride(int index) {
    words[WQE_ID] |= Cqe.WQE_ID.place(wqeIndex());
    words[PATH] |= Cqe.strideWord(index);
    strided = true;
    return this;
  }

  /**
   * Makes this a completion of a tag-matching queue.
   *
   * @param operation app_op, see {@link TagMatchingCqe}
   * @param entry app_info: the entry of the list of tags
   */
  public Completion tagged(int operation, int entry) {
    words[BYTE_COUNT] |= TagMatchingCqe.word(operation, entry, 0);
    return this;
  }

  /** Sets bytes 0–15: the message's header of tag matching, or the result of a change of a list. */
  public Completion head(long first, long second) {
    words[0] = first;
    words[1] = second;
    return this;
  }

  /**
   * Adds data to the CQE. Call this last, because data of format {@link Cqe#FORMAT_INLINE_32}
   * replaces other fields.
   *
   * @param from address of {@link InlineData#BYTES} bytes, which must not change before the
   *     completion is written
   * @param format {@link Cqe#FORMAT_INLINE_32} or {@link Cqe#FORMAT_INLINE_64}
   */
  public Completion data(long from, int format) {
    words[LAST] |= Cqe.FORMAT.place(format);
    if (format == Cqe.FORMAT_INLINE_64) {
      data = from;
    } else {
      for (int i = 0; i <= FLAGS_RQPN; i++) {
        words[i] = Memory.getLong(from + (long) i * Long.BYTES);
      }
    }
    return this;
  }

  /** Makes this the completion of a failure. */
  Completion failed(int vendorSyndrome, int syndrome, int signature) {
    words[TIMESTAMP] = Cqe.errorWord(vendorSyndrome, syndrome);
    words[LAST] |= Cqe.SIGNATURE.place(signature);
    return solicited(true);
  }

  /** Makes this the completion of a success. */
  Completion succeeded(long time, int signature) {
    words[TIMESTAMP] = time;
    words[LAST] |= Cqe.SIGNATURE.place(signature);
    return this;
  }

  /** Makes this the title of a compressed session. */
  void represent(int completions) {
    words[BYTE_COUNT] = completions;
    words[LAST] |= Cqe.FORMAT.place(Cqe.FORMAT_COMPRESSED);
  }

  // ---- contents

  /** Its eight words. */
  long[] words() {
    return words;
  }

  /** Address of the 64 bytes in front of it; 0 without any. */
  long data() {
    return data;
  }

  /** Bytes 56–63 without the owner bit. */
  long last() {
    return words[LAST];
  }

  int opcode() {
    return Cqe.opcode(last());
  }

  int qpn() {
    return Cqe.qpn(last());
  }

  int wqeIndex() {
    return Cqe.wqeCounter(last());
  }

  boolean isSolicited() {
    return Cqe.solicited(last());
  }

  /** Its time, unless it is that of a failure. */
  long time() {
    return words[TIMESTAMP];
  }

  int byteCount() {
    return Cqe.byteCount(words[BYTE_COUNT]);
  }

  boolean isStrided() {
    return strided;
  }

  int stride() {
    return Cqe.IB_STRIDE_INDEX.getInt(words[PATH]);
  }

  /** True when a title and a mini entry can express it. */
  boolean isPlain() {
    return words[1] == 0
        && (words[0] == 0 || strided)
        && Cqe.format(last()) == 0
        && words[BYTE_COUNT] >>> Integer.SIZE == 0;
  }

  /** True when it differs from another one at most in its indices, bytes and time. */
  boolean isLike(Completion other) {
    return ((last() ^ other.last()) & SHARED_LAST) == 0
        && words[UIDX_IMMEDIATE] == other.words[UIDX_IMMEDIATE]
        && words[FLAGS_RQPN] == other.words[FLAGS_RQPN]
        && ((words[PATH] ^ other.words[PATH]) & ~STRIDE) == 0
        && strided == other.strided;
  }
}
