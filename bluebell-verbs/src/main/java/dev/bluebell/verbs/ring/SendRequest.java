package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.XrcSegment;
import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.value.Limited;
import dev.bluebell.verbs.value.Unfinished;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A request being built: all stages in one reused object. A ring has several and uses them in turn,
 * so that a stage kept from an earlier request can be distinguished from the current one.
 *
 * <p>The state of the request is here and not in the ring: the JIT then sees one object across all
 * stages and keeps its fields in registers, and the processor need not wait for stores through the
 * ring before it starts the next request. The state is small, because posting is bound by stores.
 */
public abstract sealed class SendRequest<R extends SendRequest<R>> implements Unfinished, Limited
    permits PlainRequest, RelaxedRequest, StreamRequest {
  private static final int UNIT = ControlSegment.BYTES;
  private static final int LOG_UNIT = 4;
  private static final int BLOCK = ControlSegment.WQEBB_BYTES;

  /** Flag in {@link #offset}: the last segment is inline data, and more can be added to it. */
  private static final int INLINE = 1;

  /**
   * Flag in {@link #offset}: {@link #room} limits the data. Other requests neither read nor write
   * that field, because posting is bound by stores.
   */
  private static final int LIMITED = 2;

  /**
   * Flag in {@link #end}, and so in {@link #index} of the next request, which then waits for this
   * one. Only 16 bits of an index count, and a separate field would cost each request a load.
   */
  private static final int OWES_FENCE = Integer.MIN_VALUE;

  private static final long OPCODE_SHIFT = 56;
  private static final long OPCODE_MASK = 0xffL << OPCODE_SHIFT;
  private static final long STREAM_MASK = ControlSegment.streamBits(-1);

  /** In place of the opcode: opcode, opmod and signature are already in the entry. */
  private static final int WRITTEN = 0xff;

  private static final long OPMOD_BITS = ControlSegment.OPMOD.place(-1);
  private static final long SIGNATURE_BITS = ControlSegment.SIGNATURE.place(-1);
  private static final long COMPLETION_BITS = ControlSegment.COMPLETION_MODE.place(-1);
  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final SendRing ring;
  private final long table;
  private final int tableMask;
  private final long base;
  private final int byteMask;
  private final int qpn;
  private final int maxBytes;
  private final boolean nopFill;

  /** Index of the first WQEBB. */
  private int index;

  /** Index behind the request, when it has ended. */
  private int end;

  /** Bytes written so far, the control segment's 16 included; 0 when the request has ended. */
  private int offset;

  /** Bytes 8–15 of the request without the completion mode, and the opcode in byte 8. */
  private long control;

  /** Bytes of the request before its last inline segment, if that is its last segment. */
  private int inlineAt;

  /** Bytes of data in the last inline segment. */
  private int inlineLength;

  /** Bytes of data that a {@link #LIMITED} request still takes. */
  private long room;

  SendRequest(SendRing ring, SendRingLayout layout) {
    this.ring = ring;
    table = ring.table;
    tableMask = ring.tableMask;
    base = ring.base;
    byteMask = ring.byteMask;
    qpn = ring.qpn;
    maxBytes = ring.maxBytes;
    nopFill = layout.nopFill();
  }

  /** This request as its own type, which determines the stages that follow. */
  @SuppressWarnings("unchecked")
  private R self() {
    return (R) this;
  }

  /**
   * Starts at a WQEBB, which is free.
   *
   * @param dataAt bytes of the fixed segments, which the caller writes next
   */
  final R begin(int firstIndex, int opcode, int immediate, int dataAt) {
    index = firstIndex;
    offset = dataAt;
    control = (long) opcode << OPCODE_SHIFT | ControlSegment.second(0, immediate);
    return self();
  }

  /** Adds an opmod to the opcode. */
  final R opmod(int opmod) {
    long at = wqe();
    int opcode = (int) (control >>> OPCODE_SHIFT);
    Memory.putLong(at, ControlSegment.first(opmod, 0, opcode, 0, 0));
    Memory.putLong(at + 8, 0);
    control |= OPCODE_MASK;
    return self();
  }

  /**
   * Fills the request with a copy of a whole entry, except for its index and QPN.
   *
   * @param entry checked, in whole units
   */
  final R copyOf(MemorySegment entry) {
    long first = entry.get(BIG_ENDIAN, 0);
    long second = entry.get(BIG_ENDIAN, Long.BYTES);
    long at = wqe();
    Memory.putLong(at, first);
    Memory.putLong(at + 8, second);
    control = OPCODE_MASK | second & ~SIGNATURE_BITS & ~COMPLETION_BITS;
    for (long from = UNIT; from < entry.byteSize(); from += UNIT) {
      append(entry.get(BIG_ENDIAN, from), entry.get(BIG_ENDIAN, from + Long.BYTES));
    }
    return self();
  }

  /** Takes the place of another request, which has ended, in the queue. */
  void become(SendRequest<?> other) {
    index = other.index;
    end = other.end;
    offset = 0;
  }

  /** Takes the place of a request that ended before an index. */
  void becomeEmpty(int atIndex) {
    index = atIndex;
    end = atIndex;
    offset = 0;
  }

  boolean isHalfBuilt() {
    return offset != 0;
  }

  /** Index behind the request, when it has ended. */
  int end() {
    return end;
  }

  /** Bytes 0–7 of the request, when it has ended. */
  long first() {
    return Memory.getLong(wqe());
  }

  /** Writes the destination behind the control segment. */
  final R to(AddressWords destination) {
    destination.write(wqe() + UNIT);
    return self();
  }

  /** Puts the request on a stream. */
  public final R on(int stream) {
    control |= ControlSegment.streamBits(stream);
    return self();
  }

  /** Writes the number of the peer's shared receive queue behind the control segment. */
  final R toSharedReceives(int number) {
    long at = wqe() + UNIT;
    Memory.putLong(at, XrcSegment.first(number));
    Memory.putLong(at + 8, 0);
    return self();
  }

  // The operations of a request that started with its destination: their segments follow it.

  public final R send() {
    return operation(WqeOpcode.SEND, 0);
  }

  public final R sendImmediate(int immediate) {
    return operation(WqeOpcode.SEND_IMM, immediate);
  }

  public final R sendInvalidate(int rkey) {
    return operation(WqeOpcode.SEND_INVAL, rkey);
  }

  public final R write(long remoteAddress, int rkey) {
    return operation(WqeOpcode.RDMA_WRITE, 0).remote(remoteAddress, rkey);
  }

  public final R writeImmediate(long remoteAddress, int rkey, int immediate) {
    return operation(WqeOpcode.RDMA_WRITE_IMM, immediate).remote(remoteAddress, rkey);
  }

  public final R read(long remoteAddress, int rkey) {
    return operation(WqeOpcode.RDMA_READ, 0).remote(remoteAddress, rkey);
  }

  public final R compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return operation(WqeOpcode.ATOMIC_CS, 0).remote(remoteAddress, rkey).append(swap, compare);
  }

  public final R fetchAndAdd(long remoteAddress, int rkey, long add) {
    return operation(WqeOpcode.ATOMIC_FA, 0).remote(remoteAddress, rkey).append(add, 0);
  }

  public final R maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask) {
    return masked(WqeOpcode.ATOMIC_MASKED_CS, WqeForm.MASKED_ATOMIC_4, remoteAddress, rkey)
        .append(pair(swap, compare), pair(swapMask, compareMask));
  }

  public final R maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask) {
    return masked(WqeOpcode.ATOMIC_MASKED_CS, WqeForm.MASKED_ATOMIC_8, remoteAddress, rkey)
        .append(swap, compare)
        .append(swapMask, compareMask);
  }

  public final R maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    return masked(WqeOpcode.ATOMIC_MASKED_CS, WqeForm.MASKED_ATOMIC_16, remoteAddress, rkey)
        .append(swap.high(), swap.low())
        .append(compare.high(), compare.low())
        .append(swapMask.high(), swapMask.low())
        .append(compareMask.high(), compareMask.low());
  }

  public final R maskedFetchAndAdd4(long remoteAddress, int rkey, int add, int fieldBoundary) {
    return masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_4, remoteAddress, rkey)
        .append(pair(add, fieldBoundary), 0);
  }

  public final R maskedFetchAndAdd8(long remoteAddress, int rkey, long add, long fieldBoundary) {
    return masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_8, remoteAddress, rkey)
        .append(add, fieldBoundary);
  }

  public final R maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary) {
    return masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_16, remoteAddress, rkey)
        .append(add.high(), add.low())
        .append(fieldBoundary.high(), fieldBoundary.low());
  }

  final R masked(int opcode, int opmod, long remoteAddress, int rkey) {
    return operation(opcode, 0).opmod(opmod).remote(remoteAddress, rkey);
  }

  private static long pair(int first, int second) {
    return (long) first << 32 | second & 0xffffffffL;
  }

  /** Adds the segments of a copy, from one range of memory to another. */
  public final R copyMemory(
      long from, int fromKey, long to, int toKey, int length, CopyReportMemory report) {
    if (length < 1) {
      throw refuse(
          new IllegalArgumentException("a copy has at least 1 byte, not %d".formatted(length)));
    }
    return operation(WqeOpcode.MMO, 0)
        .opmod(WqeForm.MMO_DMA)
        .append(report.lkey() & 0xffffffffL, report.address())
        .append(DataSegment.first(length, fromKey), from)
        .append(DataSegment.first(length, toKey), to);
  }

  /** Adds the segment that names a queue and an index. */
  final R about(int opcode, int number, int index) {
    return operation(opcode, 0).append(0, QueueSegment.second(index, number));
  }

  /** Adds the segment of a WAIT for a value. */
  final R waitForValue(int opmod, int operation, int lkey, long address, long value, long mask) {
    return operation(WqeOpcode.WAIT, 0)
        .opmod(opmod)
        .append(WaitValueSegment.first(operation, lkey), address)
        .append(value, mask);
  }

  final R operation(int opcode, int immediate) {
    check();
    if (Checks.ENABLED && (control & OPCODE_MASK) != 0) {
      throw refuse(
          new IllegalStateException(
              "this request of QP 0x%x has its operation already: start another".formatted(qpn)));
    }
    control |= (long) opcode << OPCODE_SHIFT | ControlSegment.second(0, immediate);
    return self();
  }

  final R remote(long address, int rkey) {
    return append(address, RemoteAddressSegment.second(rkey));
  }

  /** Adds two words. */
  final R append(long first, long second) {
    long at = segment();
    Memory.putLong(at, first);
    Memory.putLong(at + 8, second);
    return self();
  }

  /** Writes the segment that changes a list of tags. */
  void tags(long head, long tag, long mask) {
    check();
    long at = wqe() + RequestPlaces.TAGS;
    Memory.putLong(at, head);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + TagMatchingSegment.APPEND_TAG.word(), tag);
    Memory.putLong(at + TagMatchingSegment.APPEND_MASK.word(), mask);
  }

  /** Writes 16 bytes of a segment again. */
  void patch(int place, long first, long second) {
    check();
    long at = base + inRing(place);
    Memory.putLong(at, first);
    Memory.putLong(at + 8, second);
  }

  /** Adds a segment unchanged. */
  void segment(long first, long second) {
    check();
    R unused = append(first, second);
  }

  /**
   * Ends a request whose completion another segment requests, not its control segment.
   *
   * @param id returned by the completion
   */
  void reported(long id) {
    check();
    PostedRequests.addSignaled(table, tableMask, index, finish(ControlSegment.CE_ON_ERROR), id);
  }

  public final R gather(long address, int length, int lkey) {
    return data(address, length, lkey);
  }

  public final R gather(MemoryRegion region, long from, int length) {
    return data(region, from, length);
  }

  public final R scatter(long address, int length, int lkey) {
    return data(address, length, lkey);
  }

  public final R scatter(MemoryRegion region, long from, int length) {
    return data(region, from, length);
  }

  public final R nowhere() {
    check();
    return self();
  }

  public final R scatter(long address, int lkey) {
    return data(address, operandBytes(), lkey);
  }

  public final R scatter(MemoryRegion region, long from) {
    return data(region, from, operandBytes());
  }

  /** Bytes of an atomic's operand. */
  private int operandBytes() {
    if (control >>> OPCODE_SHIFT != WRITTEN) {
      return AtomicSegment.OPERAND_BYTES;
    }
    int opmod = ControlSegment.opmod(Memory.getLong(wqe()));
    return Integer.BYTES << opmod - WqeForm.MASKED_ATOMIC_4;
  }

  @Override
  public final void limit(long bytes) {
    room = bytes;
    offset |= LIMITED;
  }

  /** Counts data of a {@link #LIMITED} request. */
  private void count(int length) {
    if ((offset & LIMITED) != 0) {
      long before = room;
      room = before - length;
      if (before < length) {
        throw refuse(
            new IndexOutOfBoundsException(
                ("this request of QP 0x%x is longer than the remote memory that it names, which has"
                        + " %d bytes left for the %d of this segment")
                    .formatted(qpn, before, length)));
      }
    }
  }

  final R data(MemoryRegion region, long from, int length) {
    check();
    if (!RegionRange.isInside(region, from, length)) {
      throw refuse(RegionRange.outside(region, from, length));
    }
    return data(region.address() + from, length, region.lkey());
  }

  final R data(long address, int length, int lkey) {
    check();
    if (length > 0) {
      count(length);
      append(DataSegment.first(length, lkey), address);
    } else if (length < 0) {
      throw refuse(new IllegalArgumentException("a segment can't have %d bytes".formatted(length)));
    }
    return self();
  }

  public final R inline(MemorySegment source, long from, int length) {
    check();
    try {
      Objects.checkFromIndexSize(from, length, source.byteSize());
      count(length);
      if ((offset & INLINE) != 0) {
        InlineData.append(base, byteMask, extendInline(length), source, from, length);
      } else if (length > 0) {
        InlineData.write(base, byteMask, openInline(length), source, from, length);
      }
    } catch (RuntimeException e) {
      throw refuse(e);
    }
    return self();
  }

  public final R inline(byte[] source, int from, int length) {
    check();
    try {
      Objects.checkFromIndexSize(from, length, source.length);
      count(length);
      if ((offset & INLINE) != 0) {
        InlineData.append(base, byteMask, extendInline(length), source, from, length);
      } else if (length > 0) {
        InlineData.write(base, byteMask, openInline(length), source, from, length);
      }
    } catch (RuntimeException e) {
      throw refuse(e);
    }
    return self();
  }

  /** Starts an inline segment; returns its offset in the ring. */
  private int openInline(int length) {
    int at = offset & -UNIT;
    int end = at + InlineSegment.ds(length) * UNIT;
    reserve(end);
    inlineAt = at;
    inlineLength = length;
    offset = end | INLINE | offset & LIMITED;
    return inRing(at);
  }

  /** Makes the last inline segment longer; returns the offset in the ring of the first new byte. */
  private int extendInline(int length) {
    int before = inlineLength;
    int end = inlineAt + InlineSegment.ds(before + length) * UNIT;
    reserve(end);
    inlineLength = before + length;
    offset = end | INLINE | offset & LIMITED;
    Memory.putInt(base + inRing(inlineAt), InlineSegment.header(inlineLength));
    return inRing(inlineAt + InlineSegment.HEADER_BYTES + before);
  }

  public final R fence() {
    check();
    control |= ControlSegment.second(ControlSegment.FENCE_SMALL_AND_FENCE, 0);
    return self();
  }

  public final R solicited() {
    check();
    control |= ControlSegment.second(ControlSegment.SOLICITED, 0);
    return self();
  }

  public final void signaled(long id) {
    check();
    PostedRequests.addSignaled(table, tableMask, index, finish(ControlSegment.CE_ALWAYS), id);
  }

  public final void unsignaled(long id) {
    check();
    if (Checks.ENABLED && ring.isStalledBy(index + ControlSegment.wqebbs(offset >>> LOG_UNIT))) {
      throw refuse(
          new IllegalStateException(
              ("this request would leave QP 0x%x full of unsignalled requests, which no"
                      + " completion would ever free: end it with signaled(id), or signal an"
                      + " earlier one")
                  .formatted(qpn)));
    }
    PostedRequests.addUnsignaled(table, tableMask, index, finish(ControlSegment.CE_ON_ERROR), id);
  }

  /** Writes the control segment; returns the WQEBBs of the request. */
  private int finish(int completion) {
    int ds = offset >>> LOG_UNIT;
    int opcode = (int) (control >>> OPCODE_SHIFT);
    long second = control & ~OPCODE_MASK | ControlSegment.second(completion, 0);
    if (index < 0) {
      second = fenced(second);
    }
    long at = wqe();
    if (opcode == WRITTEN) {
      finishWritten(at, second, ds);
    } else {
      Memory.putLong(at + 8, second);
      Memory.putLong(at, ControlSegment.first(0, index, opcode, qpn, ds));
    }
    int wqebbs = ControlSegment.wqebbs(ds);
    end = index + wqebbs & ~OWES_FENCE;
    offset = 0;
    return wqebbs;
  }

  /**
   * Bytes 8–15 with the fence that the request before it requires. Mirrors {@code qp.c: get_fence}.
   */
  private static long fenced(long second) {
    boolean has = (ControlSegment.fmCeSe(second) & ControlSegment.FENCE_MASK) != 0;
    return has ? second : second | ControlSegment.second(ControlSegment.FENCE_SMALL, 0);
  }

  /** Index of the first WQEBB, of which 16 bits count. */
  int index() {
    return index;
  }

  /** Makes the next request wait for this one, which has ended. */
  void oweFence() {
    end |= OWES_FENCE;
  }

  private void finishWritten(long at, long second, int ds) {
    long written = Memory.getLong(at);
    int opcode = ControlSegment.opcode(written);
    Memory.putLong(at + 8, second | Memory.getLong(at + 8) & SIGNATURE_BITS);
    Memory.putLong(at, written & OPMOD_BITS | ControlSegment.first(0, index, opcode, qpn, ds));
  }

  private void check() {
    if (Checks.ENABLED && offset == 0) {
      throw new IllegalStateException(
          "this request of QP 0x%x has already ended: start another".formatted(qpn));
    }
  }

  /** Offset in the ring of a byte of the request. */
  private int inRing(int at) {
    return index * BLOCK + at & byteMask;
  }

  /** Address of the first byte. */
  private long wqe() {
    return base + inRing(0) & Memory.ADDRESS_BITS;
  }

  /** Address of the next 16 bytes. */
  private long segment() {
    int at = offset & -UNIT;
    reserve(at + UNIT);
    offset = at + UNIT | offset & LIMITED;
    // The first WQEBB never crosses the end of the ring.
    return at < BLOCK ? wqe() + at : base + inRing(at);
  }

  /**
   * Checks that the request may have this many bytes. The first WQEBB is always available.
   *
   * @param bytes unsigned. The sum for inline data of up to 2^31 - 1 bytes exceeds an int; it is
   *     refused even with checks off, because such an end is not an offset in the ring.
   */
  private void reserve(int bytes) {
    if (Integer.compareUnsigned(bytes, BLOCK) > 0 && (Checks.ENABLED || nopFill || bytes < 0)) {
      int toEnd = byteMask + 1 - inRing(0);
      boolean crosses = nopFill && bytes > toEnd;
      boolean longer = Integer.compareUnsigned(bytes, maxBytes) > 0;
      if (crosses || longer || bytes > ring.free(index) * BLOCK) {
        moveOrRefuse(bytes, crosses ? toEnd / BLOCK : 0);
      }
    }
  }

  private void moveOrRefuse(int bytes, int skipped) {
    if (Integer.compareUnsigned(bytes, limit()) > 0) {
      throw refuse(
          new IllegalArgumentException(
              ("a request of %d bytes is longer than the %d of QP 0x%x: create the queue pair"
                      + " with a larger %s")
                  .formatted(
                      Integer.toUnsignedLong(bytes),
                      limit(),
                      qpn,
                      changesKey() ? "sendQueue" : "maxGather or maxInline")));
    }
    int first = ring.retired();
    if (bytes > (ring.free(first, index) - skipped) * BLOCK) {
      throw refuse(ring.full(first));
    }
    if (skipped > 0) {
      moveToStart(skipped);
    }
  }

  /** Changes of memory keys carry no data, so the limits on data do not apply. */
  private int limit() {
    return changesKey() ? Math.min(ControlSegment.MAX_DS * UNIT, byteMask + 1) : maxBytes;
  }

  private boolean changesKey() {
    return control >>> OPCODE_SHIFT == WqeOpcode.UMR;
  }

  /** Fills the end of the ring with a NOP and continues at its start. */
  private void moveToStart(int skipped) {
    long from = wqe();
    Memory.copy(from, base, offset & -UNIT);
    int ds = skipped * (BLOCK / UNIT);
    // On the stream of the request, so that it executes before the request.
    long stream = control & STREAM_MASK;
    Memory.putLong(from + 8, ControlSegment.second(ControlSegment.CE_ON_ERROR, 0) | stream);
    Memory.putLong(from, ControlSegment.first(0, index, WqeOpcode.NOP, qpn, ds));
    PostedRequests.addFill(table, tableMask, index, skipped);
    index += skipped;
  }

  @Override
  public final boolean dropUnfinished() {
    return ring.dropUnfinished();
  }

  private RuntimeException refuse(RuntimeException reason) {
    ring.dropUnfinished();
    return reason;
  }
}
