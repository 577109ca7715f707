package dev.bluebell.verbs.ring;

import static dev.bluebell.verbs.ring.RequestPlaces.COMPACT_END;
import static dev.bluebell.verbs.ring.RequestPlaces.NOP_END;
import static dev.bluebell.verbs.ring.RequestPlaces.RDMA_DATA;
import static dev.bluebell.verbs.ring.RequestPlaces.TAGS_END;
import static dev.bluebell.verbs.ring.RequestPlaces.VECTOR_END;
import static dev.bluebell.verbs.ring.RequestPlaces.XRC_END;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.RequestModifiers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * A send queue in memory: starts requests, rings for them, and remembers them until they complete.
 * Mirrors {@code qp.c: _mlx5_post_send}.
 *
 * <p>One thread posts and rings; one thread polls the completion queue, which retires requests.
 */
public final class SendRing extends Owned {
  /** Bits of {@link #rungIndex}: the highest bit of an index is a flag of {@link SendRequest}. */
  public static final int RUNG_INDEX_BITS = 31;

  private static final int REQUESTS = 8;
  private static final int MAX_BLUEFLAME_DS = 16;
  private static final int INDEX_MASK = 0xffff;
  private static final int WAIT_INDEX_MASK = 0xffffff;
  private static final VarHandle RETIRED =
      FieldHandles.of(MethodHandles.lookup(), SendRing.class, "retired", int.class);

  private final SendRequest<?>[] requests = new SendRequest<?>[REQUESTS];

  /** Keeps the table of posted requests reachable. */
  private final MemorySegment tableMemory;

  private final RequestMemory memory;
  final long table;
  final int tableMask;
  private final SendDoorbell doorbell;

  /** Address of the first WQEBB where requests are built, which may not be in the ring itself. */
  final long base;

  final int byteMask;
  private final int wqebbs;
  final int qpn;
  final int maxBytes;
  private final boolean blueFlame;

  /** WQEBBs that the longest request can take, with fill. */
  private final int roomy;

  /** Number of the request that was started last; the low bits tell which object it uses. */
  private int current;

  /**
   * Producer index of the last doorbell. For a managed queue, which other queues enable, the driver
   * does not know it: there it is the index behind the last completed request.
   */
  private int rung;

  /**
   * Index of the first WQEBB that no completion has freed. Only its low 16 bits count: a completion
   * contains no more, and computing more would make each completion depend on the one before.
   */
  private int retired;

  /** True when requests of other queues enable the requests. */
  private final boolean managed;

  /** True when the requests are kept for repeated execution, so that none of them is retired. */
  private boolean kept;

  private volatile boolean closed;

  /**
   * A queue of {@link PlainRequest}s over memory that the caller keeps alive and that no other
   * queue uses.
   */
  public SendRing(SendRingLayout layout) {
    this(layout, PlainRequest::new);
  }

  /**
   * A queue over memory that the caller keeps alive and that no other queue uses.
   *
   * @param kind creates its requests, which are all of one kind
   */
  public SendRing(
      SendRingLayout layout, BiFunction<SendRing, SendRingLayout, SendRequest<?>> kind) {
    super("QP 0x%x".formatted(layout.qpn()), "the send queue of QP 0x%x".formatted(layout.qpn()));
    memory = new RequestMemory(layout);
    base = memory.address();
    wqebbs = 1 << layout.logWqebbs();
    byteMask = wqebbs * ControlSegment.WQEBB_BYTES - 1;
    qpn = layout.qpn();
    int longest = ControlSegment.MAX_DS * ControlSegment.BYTES;
    maxBytes = Math.min(Math.min(layout.maxWqeBytes(), longest), byteMask + 1);
    blueFlame = layout.blueFlame();
    int largest = (maxBytes + ControlSegment.WQEBB_BYTES - 1) / ControlSegment.WQEBB_BYTES;
    roomy = layout.nopFill() ? 2 * largest - 1 : largest;
    managed = layout.managed();
    tableMemory = Arena.ofAuto().allocate((long) wqebbs * PostedRequests.SLOT_BYTES, Long.BYTES);
    table = tableMemory.address();
    tableMask = wqebbs - 1;
    doorbell = new SendDoorbell(layout);
    rung = layout.startIndex();
    retired = rung;
    for (int i = 0; i < REQUESTS; i++) {
      requests[i] = kind.apply(this, layout);
    }
    last().becomeEmpty(rung);
  }

  /** Starts a request of a queue of {@link PlainRequest}s. */
  public PlainRequest request() {
    return (PlainRequest) begin();
  }

  /** Starts a request of a queue for memory with relaxed ordering. */
  public RelaxedRequest relaxed() {
    return (RelaxedRequest) begin();
  }

  /** Starts a request that names its destination: of a datagram or a dynamic connection. */
  public PlainRequest to(AddressWords destination) {
    return (PlainRequest) addressed(destination);
  }

  /**
   * Starts a request on a stream that names its destination.
   *
   * @param stream number of the stream, 16 bits
   */
  StreamRequest onStream(AddressWords destination, int stream) {
    return ((StreamRequest) addressed(destination)).on(stream);
  }

  private SendRequest<?> addressed(AddressWords destination) {
    return begin(WqeOpcode.NOP, 0, destination.isExtended() ? VECTOR_END : COMPACT_END)
        .to(destination);
  }

  /** Starts a request that names the peer's shared receive queue, 24 bits. */
  public PlainRequest toSharedReceives(int number) {
    return (PlainRequest) begin(WqeOpcode.NOP, 0, XRC_END).toSharedReceives(number);
  }

  /**
   * Starts a change of the tag list of the queue from which the queue pair receives. A segment
   * requests its completion, not the end of the request: see {@link SendRequest#reported}.
   */
  SendRequest<?> changeTags() {
    return begin(WqeOpcode.TAG_MATCHING, 0, TAGS_END);
  }

  /** Starts a request on a stream, 16 bits. */
  StreamRequest onStream(int stream) {
    return ((StreamRequest) begin()).on(stream);
  }

  /**
   * Starts a request that is a copy of a whole entry. Mirrors {@code qp.c: mlx5_wr_raw_wqe}, which
   * overwrites only the index; this method also overwrites the QPN, because a device refuses
   * requests that name another queue pair.
   *
   * @param service service of the queue
   * @param entry its first 16 bytes are the control segment, of which index and QPN do not count
   * @throws IllegalArgumentException when opcode, opmod, ds and size are inconsistent
   */
  public RequestModifiers raw(ServiceType service, MemorySegment entry) {
    RawEntry.check(service, entry);
    return (RequestModifiers) begin().copyOf(entry);
  }

  /**
   * Starts a WAIT for a completion. Mirrors {@code mlx5_tx.h: mlx5_tx_qseg_init} of DPDK, as do the
   * next three methods.
   *
   * @param cqn number of the completion queue, 24 bits
   * @param index of the completion, of which 24 bits count
   */
  public RequestModifiers waitFor(int cqn, int index) {
    return request().about(WqeOpcode.WAIT, cqn, index & WAIT_INDEX_MASK);
  }

  /**
   * Starts a WAIT until a value meets a condition.
   *
   * @param opmod {@link dev.bluebell.hca.wqe.WqeForm#WAIT_ON_DATA} or {@link
   *     dev.bluebell.hca.wqe.WqeForm#WAIT_ON_TIME}
   * @param operation one of those of {@link dev.bluebell.hca.wqe.WaitValueSegment}
   */
  public RequestModifiers waitForValue(
      int opmod, int operation, int lkey, long address, long value, long mask) {
    return request().waitForValue(opmod, operation, lkey, address, value, mask);
  }

  /**
   * Starts a SEND_EN, which enables requests of a managed send queue.
   *
   * @param target number of its queue pair, 24 bits
   * @param index WQEBB that it may execute up to, itself excluded; 16 bits count
   */
  public RequestModifiers enableSends(int target, int index) {
    return request().about(WqeOpcode.SEND_EN, target, index & INDEX_MASK);
  }

  /**
   * Starts a RECV_EN, which enables requests of a managed receive queue.
   *
   * @param target number of its queue pair, 24 bits
   * @param index request that it may use up to, itself excluded; 16 bits count
   */
  public RequestModifiers enableReceives(int target, int index) {
    return request().about(WqeOpcode.RECV_EN, target, index & INDEX_MASK);
  }

  /**
   * Starts a change of a memory key.
   *
   * @param key its value before the change
   */
  SendRequest<?> changeKey(int key) {
    return begin(WqeOpcode.UMR, key, ControlSegment.BYTES);
  }

  /** Makes the next request wait for the one that ended last. */
  void oweFence() {
    last().oweFence();
  }

  /**
   * Sets the completion opcode of the request that ended last, one of {@link CqeView}. Call it
   * before ringing.
   */
  void name(int opcode) {
    PostedRequests.setName(slot(last().index()), opcode);
  }

  /** Number of the queue pair. */
  public int qpn() {
    return qpn;
  }

  /** Starts a NOP. */
  public RequestModifiers nop() {
    return (RequestModifiers) begin(WqeOpcode.NOP, 0, NOP_END);
  }

  /** Starts a request whose other segments are appended one by one. */
  private SendRequest<?> begin() {
    return begin(WqeOpcode.NOP, 0, ControlSegment.BYTES);
  }

  /**
   * Starts a request.
   *
   * @param dataAt bytes of its fixed segments, which all lie in the first WQEBB
   */
  private SendRequest<?> begin(int opcode, int immediate, int dataAt) {
    int number = current;
    SendRequest<?>[] all = requests;
    // The JIT drops the bounds checks of exactly this form of index.
    SendRequest<?> last = all[number & all.length - 1];
    int index = last.end();
    if (Checks.ENABLED && (!isOwned() || last.isHalfBuilt() || free(index) == 0)) {
      requireReady(last);
    }
    current = number + 1;
    return all[number + 1 & all.length - 1].begin(index, opcode, immediate, dataAt);
  }

  private void requireReady(SendRequest<?> last) {
    requireOwner();
    if (last.isHalfBuilt()) {
      throw halfBuilt("another can start");
    }
    int first = retired();
    if (free(first, last.end()) == 0) {
      throw full(first);
    }
  }

  /**
   * Makes the device see all requests that ended since the last ring; no effect if there are none.
   */
  public void ringDoorbell() {
    SendRequest<?> last = last();
    if (Checks.ENABLED && (!isOwned() || last.isHalfBuilt())) {
      requireOwner();
      if (last.isHalfBuilt()) {
        throw halfBuilt("its doorbell can ring");
      }
    }
    int producer = last.end();
    int before = rung;
    if (producer == before) {
      return;
    }
    // Written before the doorbell: the poller checks completions against it.
    rung = producer;
    long first = last.first();
    memory.publish(before, producer);
    if (blueFlame && fitsBlueFlame(first, before)) {
      int at = before * ControlSegment.WQEBB_BYTES & byteMask;
      doorbell.blueFlame(producer, first, base, byteMask, at);
    } else {
      doorbell.ring(producer, first);
    }
  }

  /**
   * As {@link #ringDoorbell}, for a managed queue: raises the enabled index, if it is lower.
   *
   * @throws IllegalStateException also when its requests are kept
   */
  public void ringManaged() {
    requireOwner();
    SendRequest<?> last = last();
    if (last.isHalfBuilt()) {
      throw halfBuilt("its doorbell can ring");
    }
    if (kept) {
      throw new IllegalStateException(
          "the send queue of QP 0x%x holds a program: let another queue pair enable its requests with enableSends"
              .formatted(qpn));
    }
    if (last.end() != rung) {
      doorbell.ring(last.end(), last.first());
    }
  }

  /** As libmlx5, which copies a request if it is the only new one and has 32 to 256 bytes. */
  private static boolean fitsBlueFlame(long first, int before) {
    int ds = ControlSegment.ds(first);
    boolean single = ControlSegment.wqeIndex(first) == (before & INDEX_MASK);
    return single && ds > 1 && ds <= MAX_BLUEFLAME_DS;
  }

  /**
   * Drops the unfinished request, if any, unless the queue belongs to another thread; returns
   * whether there was one.
   */
  public boolean dropUnfinished() {
    SendRequest<?> last = last();
    boolean unfinished = last.isHalfBuilt() && !isOthers();
    if (unfinished) {
      last.become(previous());
    }
    return unfinished;
  }

  /** Size of the ring in WQEBBs. */
  public int wqebbs() {
    return wqebbs;
  }

  /** WQEBBs that no outstanding request occupies. */
  public int freeWqebbs() {
    return freeNow(producer());
  }

  /**
   * True when the longest request fits, even if the end of the ring must be filled before it.
   *
   * @throws IllegalStateException when it will never fit
   */
  public boolean hasRoom() {
    int index = producer();
    if (free(index) >= roomy) {
      return true;
    }
    int first = retired();
    if (free(first, index) >= roomy) {
      return true;
    }
    if (closed || kept || !hasSignaled(first)) {
      throw full(first);
    }
    return false;
  }

  /** Largest request in bytes. */
  public int maxWqeBytes() {
    return maxBytes;
  }

  /** Index of the next WQEBB, 16 bits. */
  public int producerIndex() {
    return producer() & INDEX_MASK;
  }

  /**
   * Producer index of the last doorbell, modulo 2^{@value #RUNG_INDEX_BITS}. Threads other than the
   * poster may read a stale number.
   */
  public int rungIndex() {
    return rung & (1 << RUNG_INDEX_BITS) - 1;
  }

  /** WQEBBs that were rung and that no polled completion has freed. */
  public int outstandingWqebbs() {
    return rung - retired() & INDEX_MASK;
  }

  /**
   * Refuses further requests, drops an unfinished one, and redirects the doorbell to unused memory.
   */
  public void close() {
    closed = true;
    boolean unused = dropUnfinished();
    end();
    RETIRED.setRelease(this, producer() - wqebbs);
    doorbell.park();
  }

  /** Empties the queue and starts at index 0, as the device does when the queue pair is reset. */
  public void reset() {
    last().becomeEmpty(0);
    kept = false;
    rung = 0;
    // Kept requests can complete in any slot.
    PostedRequests.clear(table, tableMask, 0, wqebbs);
    RETIRED.setRelease(this, 0);
    doorbell.reset();
  }

  /**
   * Retires the request that starts at {@code counter}, and all before it.
   *
   * @param counter 16 bits, as the completion gives it
   * @return false when it was NOP fill
   * @throws IllegalStateException when no rung request starts there
   */
  boolean complete(int counter, CqeView view) {
    long slot = PostedRequests.slot(table, tableMask, counter);
    int size = PostedRequests.mark(slot);
    int first = retired;
    if ((counter - first & INDEX_MASK) >= (rung - first & INDEX_MASK) || size <= 0) {
      return completeOther(counter, view);
    }
    view.id = PostedRequests.id(slot);
    RETIRED.setRelease(this, counter + size);
    return true;
  }

  /** Completes NOP fill, a named request, one of a managed queue, or one that is kept. */
  private boolean completeOther(int counter, CqeView view) {
    long slot = PostedRequests.slot(table, tableMask, counter);
    int size = PostedRequests.size(slot);
    view.rename(PostedRequests.name(slot));
    if (kept) {
      view.id = size > 0 ? PostedRequests.id(slot) : counter & tableMask;
      return size >= 0;
    }
    int first = retired;
    int outstanding = managed ? wqebbs : rung - first & INDEX_MASK;
    if (size == 0 || (counter - first & INDEX_MASK) >= outstanding) {
      throw nothingAt(counter);
    }
    int behind = counter + Math.abs(size);
    if (managed) {
      // The poller does not know how many were posted: completed requests must not look
      // outstanding.
      PostedRequests.clear(table, tableMask, first, behind);
      rung = behind;
    }
    view.id = PostedRequests.id(slot);
    RETIRED.setRelease(this, behind);
    return size > 0;
  }

  IllegalStateException nothingAt(int counter) {
    return new IllegalStateException(
        "the device completed a send request of QP 0x%x at WQE index %d, where none is outstanding%s"
            .formatted(qpn, counter, Checks.UNLESS_SHARED));
  }

  /** Frees all WQEBBs before an index, in a ring for which {@link #complete} is not called. */
  void retire(int index) {
    // A closed ring has no free WQEBBs.
    RETIRED.setRelease(this, closed ? producer() - wqebbs : index);
  }

  /**
   * Keeps all requests, posted ones and those that other requests write, until {@link #reset}: no
   * more can be posted, and requests may complete any number of times. The id of a completion is
   * that of the request posted there, or else its WQEBB in the ring.
   */
  public void keep() {
    SendRequest<?> last = last();
    if (last.isHalfBuilt()) {
      throw halfBuilt("the queue can keep its requests");
    }
    kept = true;
    memory.publish(rung, last.end());
    int full = last.end() - wqebbs;
    // No request counts as outstanding in complete, which then takes the path for kept requests.
    rung = full;
    RETIRED.setRelease(this, full);
  }

  /**
   * Writes the whole ring and keeps it.
   *
   * @param image WQEBBs from the first on, at most as many as the ring has
   * @throws IllegalArgumentException when the image is not a whole number of WQEBBs, or is longer
   *     than the ring
   * @throws IllegalStateException when requests were posted since the last reset
   */
  public void install(MemorySegment image) {
    long bytes = image.byteSize();
    if (bytes == 0 || bytes % ControlSegment.WQEBB_BYTES != 0 || bytes > byteMask + 1L) {
      throw new IllegalArgumentException(
          ("the ring of QP 0x%x takes 1 to %d WQEBBs of 64 bytes, and the program has %d bytes")
              .formatted(qpn, wqebbs, bytes));
    }
    if (closed) {
      throw full(retired());
    }
    if (kept || last().isHalfBuilt() || last().end() != 0) {
      throw new IllegalStateException(
          "requests were posted on QP 0x%x: reset it, and install the program first"
              .formatted(qpn));
    }
    PostedRequests.clear(table, tableMask, 0, wqebbs);
    Memory.copyFrom(image, 0, base, (int) bytes);
    memory.publish(0, (int) bytes / ControlSegment.WQEBB_BYTES);
    keep();
  }

  /**
   * Writes the whole ring, keeps it, and rings for its first requests.
   *
   * @param image as for {@link #install(MemorySegment)}
   * @param posted WQEBBs to ring for, at most as many as the image has
   */
  public void install(MemorySegment image, int posted) {
    if (posted < 1 || posted > image.byteSize() / ControlSegment.WQEBB_BYTES) {
      throw new IllegalArgumentException(
          "%d WQEBBs of a program of %d bytes can't be posted".formatted(posted, image.byteSize()));
    }
    install(image);
    long last = Memory.getLong(base);
    for (int next = length(last); next < posted; next += length(last)) {
      last = Memory.getLong(wqebb(next));
    }
    doorbell.ring(posted, last);
  }

  /** True when the requests are kept. */
  public boolean isKept() {
    return kept;
  }

  /** WQEBBs of a request whose contents are untrusted. */
  private static int length(long first) {
    return Math.max(1, ControlSegment.wqebbs(ControlSegment.ds(first)));
  }

  /** Address of a WQEBB. */
  long wqebb(int index) {
    return base + (index * ControlSegment.WQEBB_BYTES & byteMask);
  }

  /** The slot of an index in the table of {@link PostedRequests}. */
  long slot(int index) {
    return PostedRequests.slot(table, tableMask, index);
  }

  /**
   * Copies the data of a READ or an atomic from its completion to the memory that the request
   * names.
   *
   * @param counter as for {@link #complete}, which throws if nothing is outstanding there
   */
  void land(int counter, CqePayload payload, CqeView view) {
    int size = PostedRequests.size(PostedRequests.slot(table, tableMask, counter));
    if ((counter - retired & INDEX_MASK) >= (rung - retired & INDEX_MASK) || size <= 0) {
      return;
    }
    int at = counter * ControlSegment.WQEBB_BYTES & byteMask;
    long first = Memory.getLong(base + at);
    int end = at + ControlSegment.ds(first) * ControlSegment.BYTES;
    int syndrome =
        switch (ControlSegment.opcode(first)) {
          case WqeOpcode.RDMA_READ ->
              payload.scatter(view.byteCount(), base, byteMask, at + RDMA_DATA, end);
          case WqeOpcode.ATOMIC_CS,
              WqeOpcode.ATOMIC_FA,
              WqeOpcode.ATOMIC_MASKED_CS,
              WqeOpcode.ATOMIC_MASKED_FA ->
              landAtomic(payload, end);
          default ->
              throw new IllegalStateException(
                  "the device returned data for the request of QP 0x%x at WQE index %d, which asked for none"
                      .formatted(qpn, counter));
        };
    if (syndrome != 0) {
      view.fail(syndrome, CqePayload.refusal(syndrome, "send", "QP 0x%x".formatted(qpn)));
    }
  }

  /** An atomic has one data segment, at its end, of the operand's length. */
  private int landAtomic(CqePayload payload, int end) {
    int segment = end - DataSegment.BYTES;
    int length = DataSegment.byteCount(Memory.getLong(base + (segment & byteMask)));
    payload.turnAtomic(length);
    return payload.scatter(length, base, byteMask, segment, end);
  }

  /**
   * Ids of the posted requests whose completions have not been polled, oldest first. An unsignalled
   * request counts until a later one completes. Call it while no thread posts.
   */
  public long[] pendingIds() {
    if (kept) {
      return new long[0];
    }
    LongStream.Builder ids = LongStream.builder();
    int end = producer();
    for (int index = retired(); (end - index & INDEX_MASK) > 0; ) {
      long slot = PostedRequests.slot(table, tableMask, index);
      int size = PostedRequests.size(slot);
      if (size > 0) {
        ids.add(PostedRequests.id(slot));
      }
      // An unused slot has size 0, and fill a negative one.
      index += Math.max(1, Math.abs(size));
    }
    return ids.build().toArray();
  }

  /**
   * WQEBBs that are free from an index on. A stale count is too low: before refusing a request, use
   * {@link #freeNow}.
   */
  int free(int index) {
    return retired + wqebbs - index & INDEX_MASK;
  }

  /** State of the queue: posted, rung and completed requests. Call it while no thread posts. */
  public SendRingState state() {
    return state(index -> true);
  }

  /**
   * As {@link #state()}, for a queue whose requests complete in any order.
   *
   * @param outstanding whether the request that begins at an index, 16 bits, has not completed
   */
  SendRingState state(IntPredicate outstanding) {
    int first = retired();
    int end = producer();
    int recorded = doorbell.recorded();
    int told = (managed ? end : recorded) - first & INDEX_MASK;
    int unrung = 0;
    int pending = 0;
    boolean signaled = false;
    for (int index = first; (end - index & INDEX_MASK) > 0; ) {
      int size = PostedRequests.size(slot(index));
      boolean isRung = (index - first & INDEX_MASK) < told;
      if (size > 0 && outstanding.test(index & INDEX_MASK)) {
        pending++;
        unrung += isRung ? 0 : 1;
        signaled |= isRung && PostedRequests.hasSignaled(table, tableMask, index, index + size);
      }
      index += Math.max(1, Math.abs(size));
    }
    return new SendRingState(
        pending, unrung, signaled, end & INDEX_MASK, recorded, last().isHalfBuilt(), kept);
  }

  /** WQEBBs that are free from an index on. */
  private int freeNow(int index) {
    return free(retired(), index);
  }

  /**
   * WQEBBs that are free from an index on when all before {@code first} are retired. The poller may
   * retire more at any time, so a decision must use one value of {@link #retired()} throughout.
   */
  int free(int first, int index) {
    return first + wqebbs - index & INDEX_MASK;
  }

  /** Index of the first WQEBB that no completion has freed. */
  int retired() {
    return (int) RETIRED.getAcquire(this);
  }

  /** True when the ring would be full at an index and no signalled request would ever free it. */
  boolean isStalledBy(int index) {
    if (managed || free(index) != 0) {
      return false;
    }
    int first = retired();
    return free(first, index) == 0 && !hasSignaled(first);
  }

  /** True when one of the posted requests from an index on is signalled. */
  private boolean hasSignaled(int first) {
    return PostedRequests.hasSignaled(table, tableMask, first, producer());
  }

  private int producer() {
    SendRequest<?> last = last();
    return last.isHalfBuilt() ? previous().end() : last.end();
  }

  /** The request that was started last. */
  SendRequest<?> last() {
    return requests[current & requests.length - 1];
  }

  private SendRequest<?> previous() {
    return requests[current - 1 & requests.length - 1];
  }

  private IllegalStateException halfBuilt(String what) {
    return new IllegalStateException(
        ("a request of QP 0x%x is half built: end it with signaled or unsignaled, or call"
                + " dropUnfinished, before %s")
            .formatted(qpn, what));
  }

  /**
   * The exception for a request that does not fit.
   *
   * @param first the value of {@link #retired()} with which it did not fit
   */
  IllegalStateException full(int first) {
    if (closed) {
      return new ClosedException("QP 0x%x is closed".formatted(qpn));
    }
    if (kept) {
      return new IllegalStateException(
          "the send queue of QP 0x%x holds a program: reset it to post other requests"
              .formatted(qpn));
    }
    String full =
        "the send queue of QP 0x%x is full (%d of %d WQEBBs free): "
            .formatted(qpn, free(first, producer()), wqebbs);
    // A caller that waits for room must not wait forever.
    if (!hasSignaled(first)) {
      return new IllegalStateException(
          full
              + "none of its requests is signalled, so no completion will ever free it; signal"
              + " at least one request per ring");
    }
    boolean completes = managed || PostedRequests.hasSignaled(table, tableMask, first, rung);
    return new QueueFullException(
        full
            + (completes ? "" : "no signalled request was rung: call ringDoorbell(), then ")
            + "poll the completion queue and wait until hasRoom(), or freeWqebbs(), shows that"
            + " the request fits");
  }
}
