package dev.bluebell.softnic.queue;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The device's side of a queue of receive WQEs: a queue pair's own ring, or a receive memory pool
 * that many share. Owned by the thread that runs the engine. It has no doorbell register: the
 * device reads the record whenever it needs a WQE.
 *
 * <p>Invariant of raw access: the ring lies inside its umem (checked here) and the doorbell record
 * inside its own (checked by the creating command).
 */
public final class ReceiveQueue {
  private static final int COUNTER_MASK = 0xffff;

  /** How far ahead an enabled counter may be; one further ahead counts as behind. */
  private static final int ENABLED_AHEAD = 1 << 15;

  /** Keeps the memory that the ring lies in reachable. */
  @SuppressWarnings("UnusedVariable")
  private final Umem memory;

  private final long ring;
  private final int logStride;
  private final int mask;
  private final long record;
  private final boolean linked;

  // The most WQEs that may be posted and not consumed; in a managed queue, more than the ring
  // holds.
  private int most;

  // Keeps the record of a managed queue, which is in the device's memory, reachable.
  private @Nullable MemorySegment ownMemory;

  // Length of the segment before the data segments: a pool's names the next WQE, a queue pair's may
  // have the signature.
  private int skippedBytes;

  private final int number;
  private final int pd;

  // For a queue whose WQEs are divided into strides; 0 otherwise.
  private int strideCount;
  private int strideBytes;
  private @Nullable ReceiveWqe strides;
  private int nextStride;

  private boolean signed;
  private int signer;
  private long signatureWord;
  private long signedSum;
  private int produced;
  private int consumed;
  private int slot;
  private int limit;
  private boolean ended;

  /**
   * The receive queue of one queue pair: a ring of scatter lists.
   *
   * @param ring address of WQE 0 inside {@code memory}
   * @param logStride log2 of a WQE's bytes, 4 to 11
   * @param logSize log2 of the number of WQEs, at most 15
   * @param record address of the 16-bit producer counter
   * @param pd protection domain of the queue pair
   */
  public static ReceiveQueue own(
      Umem memory, long ring, int logStride, int logSize, long record, int pd) {
    return new ReceiveQueue(memory, ring, logStride, logSize, record, false, 0, pd);
  }

  /** Like {@link #own}, for a managed queue: RECV_EN posts its WQEs. */
  public static ReceiveQueue managed(Umem memory, long ring, int logStride, int logSize, int pd) {
    MemorySegment record = Arena.ofAuto().allocate(DoorbellRecord.BYTES, DoorbellRecord.BYTES);
    ReceiveQueue queue = own(memory, ring, logStride, logSize, record.address(), pd);
    queue.ownMemory = record;
    queue.most = COUNTER_MASK;
    return queue;
  }

  /**
   * A receive memory pool, whose WQEs start with a segment that names the next one.
   *
   * @param linked true when the WQEs are taken in the order of those links, false when in the order
   *     of the ring
   * @param number the RMPN
   */
  public static ReceiveQueue pool(
      Umem memory,
      long ring,
      int logStride,
      int logSize,
      long record,
      boolean linked,
      int number,
      int pd) {
    ReceiveQueue queue =
        new ReceiveQueue(memory, ring, logStride, logSize, record, linked, number, pd);
    queue.skippedBytes = DataSegment.BYTES;
    return queue;
  }

  /** A placeholder for a queue pair without a receive queue: no WQE is ever available. */
  public static ReceiveQueue none() {
    MemorySegment memory = Arena.ofAuto().allocate(DataSegment.BYTES * 2, DataSegment.BYTES);
    Umem umem = new Umem(0, memory);
    return own(umem, umem.address(), 4, 0, umem.address() + DataSegment.BYTES, 0);
  }

  private ReceiveQueue(
      Umem memory,
      long ring,
      int logStride,
      int logSize,
      long record,
      boolean linked,
      int number,
      int pd) {
    if (!memory.contains(ring - memory.address(), 1L << logStride + logSize)) {
      throw new IllegalArgumentException("the receive queue is not inside its umem");
    }
    this.memory = memory;
    this.ring = ring;
    this.logStride = logStride;
    this.mask = (1 << logSize) - 1;
    most = mask + 1;
    this.record = record;
    this.linked = linked;
    this.number = number;
    this.pd = pd;
  }

  /** Starts again at WQE 0, for the transition to RST. */
  public void reset() {
    produced = 0;
    consumed = 0;
    slot = 0;
    if (isManaged()) {
      Memory.putIntRelease(record + DoorbellRecord.RECEIVE, 0);
    }
  }

  /** True when RECV_EN posts its WQEs. */
  public boolean isManaged() {
    return ownMemory != null;
  }

  /**
   * Posts the WQEs of a managed queue up to a counter, whose low 16 bits count; a counter that is
   * not ahead of the previous one changes nothing.
   */
  public void enable(int counter) {
    int enabled = Memory.getIntAcquire(record + DoorbellRecord.RECEIVE);
    int ahead = counter - enabled & COUNTER_MASK;
    if (ahead < ENABLED_AHEAD) {
      Memory.putIntRelease(record + DoorbellRecord.RECEIVE, counter & COUNTER_MASK);
    }
  }

  /**
   * Number of WQEs posted and not consumed; more than the ring holds if the doorbell record is
   * wrong.
   */
  public int available() {
    int known = produced - consumed & 0xffff;
    return known != 0 ? known : look();
  }

  /** Like {@link #available}, after reading the doorbell record. */
  public int look() {
    produced = Memory.getIntAcquire(record + DoorbellRecord.RECEIVE) & 0xffff;
    return produced - consumed & 0xffff;
  }

  /** Reads the record and the next WQE, only to find out whether their memory is gone. */
  public void touch() {
    long unused = look() + Memory.getLong(nextSegment());
  }

  /** Requires a signature of every WQE, in the segment before its data segments. */
  public void requireSignatures(int qpn) {
    signed = true;
    signer = qpn;
    skippedBytes = ReceiveSignatureSegment.BYTES;
  }

  /** True when every WQE must have its signature. */
  public boolean isSigned() {
    return signed;
  }

  /**
   * The explanation if the signature of the WQE that was taken last is wrong; otherwise empty. The
   * signature covers the WQE up to the end of its scatter list, the QPN, and the counter of the
   * WQE.
   */
  public String whyBadlySigned() {
    if (!signed || Signatures.isRight(signedSum)) {
      return "";
    }
    int found = ReceiveSignatureSegment.SIGNATURE.getInt(signatureWord);
    return "signature 0x%02x of the receive WQE should be 0x%02x for its bytes, its queue pair and its index (wq_signature is 1)"
        .formatted(found, Signatures.expected(signedSum, found));
  }

  /** True when the doorbell record claims more WQEs than the ring has. */
  public boolean isOverrun() {
    return (produced - consumed & 0xffff) > most;
  }

  public int size() {
    return mask + 1;
  }

  /** Consumes the next WQE, which must be available, into {@code wqe}. */
  public void take(ReceiveWqe wqe) {
    long segments = nextSegment();
    int index = pass();
    wqe.fetch(segments, (1 << logStride) - skippedBytes, index);
    if (signed) {
      signatureWord = Memory.getLong(segments - skippedBytes);
      signedSum =
          signatureWord ^ Memory.getLong(segments - Long.BYTES) ^ wqe.sum() ^ signer ^ index;
    }
  }

  /** Sets {@code wqe} to the index of the next WQE with an empty scatter list; consumes nothing. */
  public void name(ReceiveWqe wqe) {
    wqe.fetch(ring, 0, linked ? slot : consumed);
  }

  /**
   * Address in the ring of the first data segment of the next WQE, which must be available. Clients
   * may change it: the caller must read each word only once and check it.
   */
  public long nextSegment() {
    return ring + ((long) (linked ? slot : consumed & mask) << logStride) + skippedBytes;
  }

  /**
   * Consumes the next WQE, which must be available, for a message that needs no scatter list.
   *
   * @return the completion's identification of the WQE, see {@link ReceiveWqe#index}
   */
  public int pass() {
    int index = consumed;
    if (linked) {
      index = slot;
      slot = Memory.getShort(ring + ((long) slot << logStride) + 2) & mask;
    }
    consumed = consumed + 1 & 0xffff;
    return index;
  }

  // ---- strides

  /**
   * Divides the scatter lists of all WQEs into strides of one packet each.
   *
   * @param logStrides log2 of the strides of a WQE
   * @param logStrideBytes log2 of their bytes
   */
  public void divide(int logStrides, int logStrideBytes) {
    strideCount = 1 << logStrides;
    strideBytes = 1 << logStrideBytes;
    strides = new ReceiveWqe();
  }

  /** True when WQEs are divided into strides of one packet each. */
  public boolean isStriding() {
    return strideCount > 0;
  }

  public int strideBytes() {
    return strideBytes;
  }

  /**
   * Consumes the next stride of the next WQE, which must be available; the last stride consumes the
   * WQE.
   *
   * @return the stride's index in the WQE, {@link #strides}
   */
  public int takeStride() {
    int stride = nextStride;
    if (stride == 0) {
      strides().fetch(nextSegment(), (1 << logStride) - skippedBytes, linked ? slot : consumed);
    }
    nextStride = stride + 1 == strideCount ? 0 : stride + 1;
    if (nextStride == 0) {
      int unused = pass();
    }
    return stride;
  }

  /** The WQE of the last stride. */
  public ReceiveWqe strides() {
    return Objects.requireNonNull(strides);
  }

  /** Number of the pool; 0 for a queue pair's own queue. */
  public int number() {
    return number;
  }

  /** Protection domain that the memory keys in the WQEs must belong to. */
  public int pd() {
    return pd;
  }

  /**
   * Arms the limit: {@link #reachedLimit} is true once when fewer WQEs than this are available; 0
   * disarms it.
   */
  public void setLimit(int newLimit) {
    limit = newLimit;
  }

  /** The armed limit; 0 for none. */
  public int limit() {
    return limit;
  }

  /** True once when the limit is reached; this sets the limit to 0. */
  public boolean reachedLimit() {
    if (limit == 0 || look() >= limit) {
      return false;
    }
    limit = 0;
    return true;
  }

  /** Notes that the queue ends: nothing may touch it, or the completions of its WQEs, any more. */
  public void end() {
    ended = true;
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Number of WQEs consumed, 16 bits. */
  public int consumed() {
    return consumed;
  }
}
