package dev.bluebell.verbs.ring;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.cqe.VendorError;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DatagramSource;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.ReceivedStride;
import dev.bluebell.verbs.StridingEntry;
import dev.bluebell.verbs.WorkOpcode;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue entry, copied out of the ring so that the device can reuse its slot while the
 * application reads it.
 */
public final class CqeView extends Completion {
  /** By the opcode of the request, 8 bits: a table is faster than a switch. */
  private static final WorkOpcode[] REQUESTS = requests();

  /**
   * Opcodes of the driver that replace UMR when a completion is loaded, so that {@link #opcode}
   * needs no check.
   */
  static final int BIND = 0xf0;

  static final int INVALIDATE = 0xf1;

  private final CompletionRing ring;
  private final int cqn;
  private final @Nullable HcaDiagnosis diagnosis;

  /** Set by the queue whose request completed. */
  long id;

  // These three are in memory byte order, and converted when they are read.
  private long nativeUidxImmediate;
  private long nativeByteCount;
  private long nativeTimestamp;

  // Before the first completion: an invalid entry.
  private long last = Cqe.OPCODE.place(CqeOpcode.INVALID);
  private final SourceView source = new SourceView();
  private final StrideView stride = new StrideView();

  // For completions of tag-matching queues, in addition to the fields of all entries.
  private long nativeHead;
  private long nativeTag;
  boolean wantsSynchronization;

  /** Why the driver itself failed a completion, and the index of that completion. */
  private @Nullable String reason;

  private int reasonIndex;

  CqeView(CompletionRing ring, int cqn, @Nullable HcaDiagnosis diagnosis) {
    this.ring = ring;
    this.cqn = cqn;
    this.diagnosis = diagnosis;
  }

  /** Sets the link layer by which the fields of datagrams are read; Ethernet by default. */
  void readAs(LinkLayer layer) {
    source.readAs(layer);
  }

  private static WorkOpcode[] requests() {
    WorkOpcode[] all = new WorkOpcode[256];
    Arrays.setAll(all, CqeView::request);
    return all;
  }

  private static WorkOpcode request(int sendOpcode) {
    return switch (sendOpcode) {
      case WqeOpcode.SEND, WqeOpcode.SEND_IMM, WqeOpcode.SEND_INVAL -> WorkOpcode.SEND;
      case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM -> WorkOpcode.RDMA_WRITE;
      case WqeOpcode.RDMA_READ -> WorkOpcode.RDMA_READ;
      case WqeOpcode.ATOMIC_CS -> WorkOpcode.COMPARE_AND_SWAP;
      case WqeOpcode.ATOMIC_FA -> WorkOpcode.FETCH_AND_ADD;
      case WqeOpcode.ATOMIC_MASKED_CS -> WorkOpcode.MASKED_COMPARE_AND_SWAP;
      case WqeOpcode.ATOMIC_MASKED_FA -> WorkOpcode.MASKED_FETCH_AND_ADD;
      case WqeOpcode.MMO -> WorkOpcode.MEMORY_COPY;
      case WqeOpcode.NOP -> WorkOpcode.NOP;
      case WqeOpcode.UMR -> WorkOpcode.UMR;
      case BIND -> WorkOpcode.BIND_WINDOW;
      case INVALIDATE -> WorkOpcode.INVALIDATE_WINDOW;
      case WqeOpcode.WAIT -> WorkOpcode.WAIT;
      case WqeOpcode.SEND_EN -> WorkOpcode.SEND_EN;
      case WqeOpcode.RECV_EN -> WorkOpcode.RECV_EN;
      default -> WorkOpcode.UNKNOWN;
    };
  }

  /** Copies the entry at an address; its last word has been read. */
  void load(long cqe, long lastWord) {
    nativeUidxImmediate = Memory.getNativeLong(cqe + Cqe.UIDX_IMMEDIATE_WORD);
    nativeByteCount = Memory.getNativeLong(cqe + Cqe.BYTE_COUNT_WORD);
    nativeTimestamp = Memory.getNativeLong(cqe + Cqe.TIMESTAMP_WORD);
    last = lastWord;
  }

  /** Copies the entry to an array of words. */
  void copyTo(long[] words) {
    words[0] = bigEndian(nativeHead);
    words[TagMatchingCqe.TMH_TAG.word() / Long.BYTES] = bigEndian(nativeTag);
    words[Cqe.PATH_WORD / Long.BYTES] = source.path();
    words[Cqe.FLAGS_RQPN_WORD / Long.BYTES] = source.flags();
    words[Cqe.UIDX_IMMEDIATE_WORD / Long.BYTES] = bigEndian(nativeUidxImmediate);
    words[Cqe.BYTE_COUNT_WORD / Long.BYTES] = bigEndian(nativeByteCount);
    words[Cqe.TIMESTAMP_WORD / Long.BYTES] = bigEndian(nativeTimestamp);
    int sendOpcode = Cqe.sendOpcode(last);
    words[Cqe.LAST_WORD / Long.BYTES] =
        sendOpcode == BIND || sendOpcode == INVALIDATE ? withOpcode(WqeOpcode.UMR) : last;
  }

  /**
   * Sets which kind of memory key change completed.
   *
   * @param opcode {@link #BIND} or {@link #INVALIDATE}; 0 changes nothing
   */
  void rename(int opcode) {
    if (opcode != 0 && Cqe.sendOpcode(last) == WqeOpcode.UMR) {
      last = withOpcode(opcode);
    }
  }

  private long withOpcode(int sendOpcode) {
    return last & ~Cqe.SEND_OPCODE.place(-1) | Cqe.SEND_OPCODE.place(sendOpcode);
  }

  /** Copies the source of a message, which only receives have. */
  void loadSource(long cqe) {
    source.load(cqe);
  }

  /** Copies the fields that only completions of tag-matching queues have. */
  void loadTag(long cqe) {
    nativeHead = Memory.getNativeLong(cqe);
    nativeTag = Memory.getNativeLong(cqe + TagMatchingCqe.TMH_TAG.word());
    wantsSynchronization = false;
  }

  /**
   * Extracts the stride fields; byteCount then returns the stride's length as for any message.
   *
   * @return null, or a description of the invalid field
   */
  @Nullable String takeStride(StridingEntry entry, int strides, int logStrideBytes) {
    if (isError()) {
      stride.set(entry, ring.lastIndex(), 0, 0);
      return null;
    }
    int index = Cqe.IB_STRIDE_INDEX.getInt(source.path());
    int count = countInEntry();
    int bytes = (count & Cqe.STRIDE_FILLER) != 0 ? 0 : count & Cqe.STRIDE_LENGTH;
    if (index >= strides || bytes > 1 << logStrideBytes) {
      return "%d bytes in stride %d".formatted(bytes, index);
    }
    int flags = (count & Cqe.STRIDE_FILLER) != 0 ? 0 : count;
    stride.set(entry, ring.lastIndex(), index << logStrideBytes, flags);
    nativeByteCount = bigEndian(Cqe.BYTE_CNT.place(bytes));
    return null;
  }

  /** Operation of a tag-matching queue, see {@link TagMatchingCqe}; 0 for other completions. */
  int tagOperation() {
    if (isError() && !isFailedHere()) {
      // There these bytes are reserved.
      return 0;
    }
    long word = bigEndian(nativeByteCount);
    return Cqe.APP.getInt(word) == Cqe.APP_TAG_MATCHING ? Cqe.APP_OP.getInt(word) : 0;
  }

  /** Entry in the list of tags. */
  int tagEntry() {
    return Cqe.APP_INFO.getInt(bigEndian(nativeByteCount));
  }

  /** True when a change of the list of tags was done. */
  boolean isTagChangeDone() {
    return TagMatchingCqe.SUCCESS.isSet(bigEndian(nativeHead));
  }

  /** Unexpected messages that the device counted when it changed the list of tags, 16 bits. */
  int tagPhase() {
    return TagMatchingCqe.HW_PHASE_CNT.getInt(bigEndian(nativeHead));
  }

  /**
   * Turns a completion that the device reports as successful into a failure.
   *
   * @param syndrome syndrome that a device would have reported
   * @param why one sentence
   */
  void fail(int syndrome, String why) {
    int opcode = isReceive() ? CqeOpcode.RESP_ERR : CqeOpcode.REQ_ERR;
    last = last & ~Cqe.OPCODE.place(-1) | Cqe.OPCODE.place(opcode);
    nativeTimestamp = bigEndian(Cqe.errorWord(0, syndrome));
    reason = why;
    reasonIndex = ring.lastIndex();
  }

  /** True when {@link #fail} made the failure, and not the device. */
  private boolean isFailedHere() {
    return reasonIndex == ring.lastIndex() && reason != null;
  }

  /** True for the completion of a receive request. */
  boolean isReceive() {
    int opcode = cqeOpcode();
    return opcode != CqeOpcode.REQ && opcode != CqeOpcode.REQ_ERR;
  }

  int userIndex() {
    return Cqe.userIndex(bigEndian(nativeUidxImmediate));
  }

  private int cqeOpcode() {
    return Cqe.opcode(last);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public boolean isSuccess() {
    int opcode = cqeOpcode();
    return opcode < CqeOpcode.NO_PACKET || opcode < CqeOpcode.SIG_ERR && isTagSuccess();
  }

  private boolean isTagSuccess() {
    return switch (tagOperation()) {
      case TagMatchingCqe.REMOVE -> isTagChangeDone();
      case TagMatchingCqe.MSG_COMPLETION_CANCELED -> false;
      default -> true;
    };
  }

  @Override
  public CompletionStatus status() {
    if (isSuccess()) {
      return CompletionStatus.SUCCESS;
    }
    return switch (tagOperation()) {
      case TagMatchingCqe.REMOVE -> CompletionStatus.TAG_NOT_FOUND;
      case TagMatchingCqe.MSG_COMPLETION_CANCELED -> CompletionStatus.MESSAGE_CANCELED;
      default -> CompletionStatus.ofSyndrome(Cqe.syndrome(timestamp()));
    };
  }

  @Override
  public int syndrome() {
    return isError() ? Cqe.syndrome(timestamp()) : 0;
  }

  @Override
  public int vendorSyndrome() {
    return isError() ? Cqe.vendorSyndrome(timestamp()) : 0;
  }

  /** True for entries that have syndromes. */
  private boolean isError() {
    return cqeOpcode() >= CqeOpcode.SIG_ERR;
  }

  @Override
  public WorkOpcode opcode() {
    return switch (cqeOpcode()) {
      case CqeOpcode.REQ, CqeOpcode.REQ_ERR -> REQUESTS[Cqe.sendOpcode(last)];
      case CqeOpcode.RESP_WR_IMM -> WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE;
      default -> receiveOpcode();
    };
  }

  private WorkOpcode receiveOpcode() {
    return switch (tagOperation()) {
      case 0 -> WorkOpcode.RECEIVE;
      case TagMatchingCqe.NO_TAG -> WorkOpcode.RECEIVE_WITHOUT_TAG;
      case TagMatchingCqe.APPEND -> WorkOpcode.TAG_ADD;
      case TagMatchingCqe.REMOVE -> WorkOpcode.TAG_REMOVE;
      case TagMatchingCqe.NOOP -> WorkOpcode.TAG_SYNCHRONIZE;
      default -> WorkOpcode.RECEIVE_WITH_TAG;
    };
  }

  @Override
  public boolean isTagMatch() {
    return switch (tagOperation()) {
      case TagMatchingCqe.CONSUMED,
          TagMatchingCqe.CONSUMED_SW_RNDV,
          TagMatchingCqe.CONSUMED_MSG,
          TagMatchingCqe.CONSUMED_MSG_SW_RNDV,
          TagMatchingCqe.MSG_COMPLETION_CANCELED ->
          true;
      default -> false;
    };
  }

  @Override
  public boolean isTagDone() {
    return switch (tagOperation()) {
      case TagMatchingCqe.EXPECTED,
          TagMatchingCqe.CONSUMED_MSG,
          TagMatchingCqe.CONSUMED_MSG_SW_RNDV,
          TagMatchingCqe.MSG_COMPLETION_CANCELED ->
          true;
      default -> false;
    };
  }

  @Override
  public boolean wantsRendezvous() {
    return switch (tagOperation()) {
      case TagMatchingCqe.CONSUMED_SW_RNDV, TagMatchingCqe.CONSUMED_MSG_SW_RNDV -> true;
      default -> false;
    };
  }

  @Override
  public boolean wantsSynchronization() {
    return wantsSynchronization && tagOperation() != 0;
  }

  @Override
  public long tag() {
    return bigEndian(nativeTag);
  }

  @Override
  public int tagContext() {
    return TagMatchingCqe.TMH_APP_CTX.getInt(bigEndian(nativeHead));
  }

  @Override
  public int byteCount() {
    return isAtomic() ? AtomicSegment.OPERAND_BYTES : countInEntry();
  }

  private int countInEntry() {
    return Cqe.byteCount(bigEndian(nativeByteCount));
  }

  private boolean isAtomic() {
    int sendOpcode = Cqe.sendOpcode(last);
    return cqeOpcode() == CqeOpcode.REQ
        && (sendOpcode == WqeOpcode.ATOMIC_CS || sendOpcode == WqeOpcode.ATOMIC_FA);
  }

  @Override
  public boolean hasImmediate() {
    int opcode = cqeOpcode();
    return opcode == CqeOpcode.RESP_WR_IMM || opcode == CqeOpcode.RESP_SEND_IMM;
  }

  @Override
  public int immediate() {
    return Cqe.immediate(bigEndian(nativeUidxImmediate));
  }

  @Override
  public boolean hasInvalidatedRkey() {
    return cqeOpcode() == CqeOpcode.RESP_SEND_INV;
  }

  @Override
  public int invalidatedRkey() {
    return Cqe.immediate(bigEndian(nativeUidxImmediate));
  }

  @Override
  public int queuePairNumber() {
    return Cqe.qpn(last);
  }

  @Override
  public DatagramSource source() {
    return source;
  }

  @Override
  public ReceivedStride stride() {
    if (!stride.isOf(ring.lastIndex())) {
      throw new IllegalStateException(
          "%s on QP 0x%x did not come to a receive queue with strides"
              .formatted(opcode(), queuePairNumber()));
    }
    return stride;
  }

  @Override
  public QueuePair queuePair() {
    QueuePair queuePair = ring.owner(queuePairNumber()).queuePair;
    if (queuePair == null) {
      throw new IllegalStateException(
          "QP 0x%x is closed, or is a target, which is not a queue pair"
              .formatted(queuePairNumber()));
    }
    return queuePair;
  }

  @Override
  public boolean solicited() {
    return Cqe.solicited(last);
  }

  @Override
  public long timestamp() {
    return bigEndian(nativeTimestamp);
  }

  static long bigEndian(long word) {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? word : Long.reverseBytes(word);
  }

  @Override
  public String explanation() {
    if (isSuccess()) {
      return "the request succeeded";
    }
    if (reason != null && isFailedHere()) {
      return reason;
    }
    if (diagnosis != null) {
      return diagnosis.explain(cqn, ring.lastIndex()).orElseGet(this::generalExplanation);
    }
    return generalExplanation();
  }

  private String generalExplanation() {
    if (!isError()) {
      return "%s of QP 0x%x: %s".formatted(opcode(), queuePairNumber(), status().description());
    }
    return "%s of QP 0x%x failed with syndrome %s: %s (%s)"
        .formatted(
            opcode(),
            queuePairNumber(),
            Syndrome.name(syndrome()),
            status().description(),
            VendorError.explain(syndrome(), vendorSyndrome()));
  }

  @Override
  public String toString() {
    return isSuccess()
        ? "%s id %d on QP 0x%x".formatted(opcode(), id, queuePairNumber())
        : "%s id %d on QP 0x%x: %s".formatted(opcode(), id, queuePairNumber(), status());
  }
}
