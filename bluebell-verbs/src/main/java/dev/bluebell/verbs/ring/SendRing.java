package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.Checks;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A send queue in memory: builds requests in the ring, rings for them, and remembers them until
 * they complete. Mirrors the send half of {@code qp.c: _mlx5_post_send}.
 *
 * <p>One thread posts and rings; one thread polls the completion queue, which retires requests.
 */
public final class SendRing {
  private static final int NONE = -1;
  private static final int REQUESTS = 8;
  private static final int MAX_BLUEFLAME_DS = 16;

  private final SendRequest[] requests = new SendRequest[REQUESTS];
  private final PostedRequests posted;
  private final SendDoorbell doorbell;
  private final long base;
  private final int byteMask;
  private final int wqebbs;
  private final int qpn;
  private final int maxBytes;
  private final boolean nopFill;
  private final boolean blueFlame;

  private int producer;
  private int rung;
  private int lastIndex;
  private long lastFirst;
  private int signaledEnd;

  // The request being built. Offsets are in bytes from its first; it starts at ring offset 'start'.
  private int active = NONE;
  private int next;
  private int start;
  private int offset;
  private int limit;
  private int fill;
  private int inlineAt;
  private int inlineLength;
  private int inlineEnd;
  private int opcode;
  private int flags;
  private int immediate;

  /** A queue over memory that the caller keeps alive and that no other queue uses. */
  public SendRing(SendRingLayout layout) {
    base = layout.address();
    wqebbs = 1 << layout.logWqebbs();
    byteMask = wqebbs * ControlSegment.WQEBB_BYTES - 1;
    qpn = layout.qpn();
    int longest = ControlSegment.MAX_DS * ControlSegment.BYTES;
    maxBytes = Math.min(Math.min(layout.maxWqeBytes(), longest), byteMask + 1);
    nopFill = layout.nopFill();
    blueFlame = layout.blueFlame();
    posted = new PostedRequests(wqebbs, layout.startIndex());
    doorbell = new SendDoorbell(layout);
    producer = layout.startIndex();
    rung = producer;
    signaledEnd = producer;
    for (int i = 0; i < REQUESTS; i++) {
      requests[i] = new SendRequest(this, i);
    }
  }

  /** Starts a SEND. */
  public RequestData send() {
    return begin(WqeOpcode.SEND, 0);
  }

  /** Starts a SEND with immediate. */
  public RequestData sendImmediate(int immediate) {
    return begin(WqeOpcode.SEND_IMM, immediate);
  }

  /** Starts a SEND that invalidates a key of the peer. */
  public RequestData sendInvalidate(int rkey) {
    return begin(WqeOpcode.SEND_INVAL, rkey);
  }

  /** Starts an RDMA WRITE. */
  public RequestData write(long remoteAddress, int rkey) {
    return begin(WqeOpcode.RDMA_WRITE, 0).remote(remoteAddress, rkey);
  }

  /** Starts an RDMA WRITE with immediate. */
  public RequestData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return begin(WqeOpcode.RDMA_WRITE_IMM, immediate).remote(remoteAddress, rkey);
  }

  /** Starts an RDMA READ. */
  public RequestScatter read(long remoteAddress, int rkey) {
    return begin(WqeOpcode.RDMA_READ, 0).remote(remoteAddress, rkey);
  }

  /** Starts a compare-and-swap of 8 bytes. */
  public AtomicScatter compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return begin(WqeOpcode.ATOMIC_CS, 0).remote(remoteAddress, rkey).operands(swap, compare);
  }

  /** Starts a fetch-and-add of 8 bytes. */
  public AtomicScatter fetchAndAdd(long remoteAddress, int rkey, long add) {
    return begin(WqeOpcode.ATOMIC_FA, 0).remote(remoteAddress, rkey).operands(add, 0);
  }

  /**
   * Starts a compare-and-swap whose landing segments are the caller's, none or of any length, as
   * libmlx5 accepts it: to compare with what that library writes, and to see devices refuse it.
   */
  public RequestScatter compareAndSwapUnchecked(
      long remoteAddress, int rkey, long compare, long swap) {
    return begin(WqeOpcode.ATOMIC_CS, 0).remote(remoteAddress, rkey).operands(swap, compare);
  }

  /** Starts a NOP. */
  public RequestModifiers nop() {
    return begin(WqeOpcode.NOP, 0);
  }

  /** Makes the device see all requests that ended since the last ring; does nothing without any. */
  public void ringDoorbell() {
    if (Checks.ENABLED && active != NONE) {
      throw halfBuilt("its doorbell can ring");
    }
    int end = producer;
    if (end == rung) {
      return;
    }
    int ds = ControlSegment.ds(lastFirst);
    if (blueFlame && lastIndex == rung && ds > 1 && ds <= MAX_BLUEFLAME_DS) {
      int at = lastIndex * ControlSegment.WQEBB_BYTES & byteMask;
      doorbell.blueFlame(end, lastFirst, base, byteMask, at);
    } else {
      doorbell.ring(end, lastFirst);
    }
    rung = end;
  }

  /** Drops the request that is half built, if there is one, and tells whether there was. */
  public boolean dropUnfinished() {
    boolean unfinished = active != NONE;
    active = NONE;
    return unfinished;
  }

  /** Size of the ring in WQEBBs. */
  public int wqebbs() {
    return wqebbs;
  }

  /** WQEBBs that no outstanding request occupies. */
  public int freeWqebbs() {
    return Math.max(0, posted.free(producer));
  }

  /** Largest request in bytes. */
  public int maxWqeBytes() {
    return maxBytes;
  }

  /** Index of the next WQEBB, 16 bits. */
  public int producerIndex() {
    return producer & 0xffff;
  }

  /** Refuses further requests; the doorbell rings nowhere from now on. */
  public void close() {
    posted.close();
    doorbell.park();
  }

  /** Empties the queue and starts at index 0, as the device does when the queue pair is reset. */
  public void reset() {
    active = NONE;
    producer = 0;
    rung = 0;
    signaledEnd = 0;
    posted.reset();
    doorbell.reset();
  }

  boolean complete(int counter, CqeView view) {
    return posted.complete(counter, producer, qpn, view);
  }

  private SendRequest begin(int newOpcode, int newImmediate) {
    int index = producer;
    int free = posted.free(index);
    if (Checks.ENABLED && (free <= 0 || active != NONE)) {
      throw active != NONE ? halfBuilt("another can start") : full();
    }
    start = index * ControlSegment.WQEBB_BYTES & byteMask;
    offset = ControlSegment.BYTES;
    limit = Math.min(free * ControlSegment.WQEBB_BYTES, maxBytes);
    if (nopFill) {
      limit = Math.min(limit, byteMask + 1 - start);
    }
    fill = 0;
    inlineEnd = 0;
    opcode = newOpcode;
    immediate = newImmediate;
    flags = 0;
    int slot = next;
    active = slot;
    next = slot + 1 & REQUESTS - 1;
    return requests[slot & REQUESTS - 1];
  }

  void check(int request) {
    if (Checks.ENABLED && active != request) {
      throw new IllegalStateException(
          "this request of QP 0x%06x has already ended: start another".formatted(qpn));
    }
  }

  void flag(int bits) {
    flags |= bits;
  }

  /** Address of the next 16 bytes of the request. */
  long segment() {
    reserve(ControlSegment.BYTES);
    int at = start + offset & byteMask;
    offset += ControlSegment.BYTES;
    return base + at;
  }

  /** Adds inline data, in one segment with inline data just before it. */
  void inline(MemorySegment source, long from, int length) {
    try {
      Objects.checkFromIndexSize(from, length, source.byteSize());
      if (isInlineOpen()) {
        int at = extendInline(length);
        InlineData.append(base, byteMask, at, source, from, length);
      } else if (length > 0) {
        int at = openInline(length);
        InlineData.write(base, byteMask, at, source, from, length);
      }
    } catch (RuntimeException e) {
      active = NONE;
      throw e;
    }
  }

  /** Adds inline data, in one segment with inline data just before it. */
  void inline(byte[] source, int from, int length) {
    try {
      Objects.checkFromIndexSize(from, length, source.length);
      if (isInlineOpen()) {
        int at = extendInline(length);
        InlineData.append(base, byteMask, at, source, from, length);
      } else if (length > 0) {
        int at = openInline(length);
        InlineData.write(base, byteMask, at, source, from, length);
      }
    } catch (RuntimeException e) {
      active = NONE;
      throw e;
    }
  }

  private boolean isInlineOpen() {
    return inlineEnd == offset;
  }

  private int openInline(int length) {
    int bytes = InlineSegment.ds(length) * ControlSegment.BYTES;
    reserve(bytes);
    inlineAt = offset;
    inlineLength = length;
    offset += bytes;
    inlineEnd = offset;
    return start + inlineAt & byteMask;
  }

  /** Returns the ring offset of the first byte to append. */
  private int extendInline(int length) {
    int behind = inlineLength;
    int end = inlineAt + InlineSegment.ds(behind + length) * ControlSegment.BYTES;
    reserve(end - offset);
    inlineLength = behind + length;
    offset = end;
    inlineEnd = end;
    int header = start + inlineAt & byteMask;
    Memory.putInt(base + header, InlineSegment.header(inlineLength));
    return header + InlineSegment.HEADER_BYTES + behind & byteMask;
  }

  private void reserve(int bytes) {
    if ((Checks.ENABLED || nopFill) && offset + bytes > limit) {
      makeRoom(bytes);
    }
  }

  /** Finds room that was freed meanwhile or, with NOP fill, lies at the start of the ring. */
  private void makeRoom(int bytes) {
    int needed = offset + bytes;
    if (needed > maxBytes) {
      throw drop(
          new IllegalArgumentException(
              ("a request of %d bytes is longer than the %d of QP 0x%06x: create the queue pair"
                      + " with a larger maxGather or maxInline")
                  .formatted(needed, maxBytes, qpn)));
    }
    int toEnd = byteMask + 1 - start;
    boolean move = nopFill && fill == 0 && needed > toEnd;
    int skipped = move ? toEnd / ControlSegment.WQEBB_BYTES : fill;
    int available = (posted.free(producer) - skipped) * ControlSegment.WQEBB_BYTES;
    if (available < needed) {
      throw drop(full());
    }
    if (move) {
      moveToStart(skipped);
    }
    limit = Math.min(available, maxBytes);
    if (nopFill) {
      limit = Math.min(limit, byteMask + 1 - start);
    }
  }

  private void moveToStart(int skipped) {
    int head = ControlSegment.BYTES;
    Memory.copy(base + start + head, base + head, offset - head);
    int ds = skipped * ControlSegment.WQEBB_BYTES / ControlSegment.BYTES;
    Memory.putLong(base + start + 8, ControlSegment.second(ControlSegment.CE_ON_ERROR, 0));
    Memory.putLong(base + start, ControlSegment.first(0, producer, WqeOpcode.NOP, qpn, ds));
    fill = skipped;
    start = 0;
  }

  void signaled(long id) {
    finish(ControlSegment.CE_ALWAYS, id);
    signaledEnd = producer;
  }

  void unsignaled(long id) {
    if (Checks.ENABLED && signaledEnd - posted.retired() <= 0 && leavesNoRoom()) {
      throw drop(
          new IllegalStateException(
              ("this request would leave QP 0x%06x full of unsignalled requests, which no"
                   + " completion would ever free: end it with signaled(id), or signal an earlier"
                   + " one")
                  .formatted(qpn)));
    }
    finish(ControlSegment.CE_ON_ERROR, id);
  }

  private boolean leavesNoRoom() {
    int taken = ControlSegment.wqebbs(offset / ControlSegment.BYTES) + fill;
    return posted.free(producer) <= taken;
  }

  private void finish(int completion, long id) {
    int index = producer;
    if (nopFill && fill > 0) {
      posted.addFill(index, fill);
      index += fill;
    }
    int ds = offset / ControlSegment.BYTES;
    long first = ControlSegment.first(0, index, opcode, qpn, ds);
    long at = base + start;
    Memory.putLong(at + 8, ControlSegment.second(flags | completion, immediate));
    Memory.putLong(at, first);
    int taken = ControlSegment.wqebbs(ds);
    posted.add(index, taken, id);
    lastIndex = index;
    lastFirst = first;
    producer = index + taken;
    active = NONE;
  }

  RuntimeException negativeLength(int length) {
    return drop(new IllegalArgumentException("a segment can't have %d bytes".formatted(length)));
  }

  private RuntimeException drop(RuntimeException reason) {
    active = NONE;
    return reason;
  }

  private IllegalStateException halfBuilt(String what) {
    return new IllegalStateException(
        ("a request of QP 0x%06x is half built: end it with signaled or unsignaled, or call"
                + " dropUnfinished, before %s")
            .formatted(qpn, what));
  }

  private IllegalStateException full() {
    if (posted.isClosed()) {
      return new IllegalStateException("QP 0x%06x is closed".formatted(qpn));
    }
    String remedy =
        signaledEnd - posted.retired() > 0
            ? "poll the completion queue and wait until freeWqebbs() tells that the request fits"
            : "none of its requests is signalled, so no completion will ever free it; signal at"
                + " least one request per ring";
    return new IllegalStateException(
        "the send queue of QP 0x%06x is full (%d of %d WQEBBs free): %s"
            .formatted(qpn, freeWqebbs(), wqebbs, remedy));
  }
}
