package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.ReceiveLanding;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A receive queue in memory. Mirrors {@code qp.c: mlx5_post_recv}.
 *
 * <p>One thread posts and rings; one thread polls the completion queue, which retires requests.
 */
public final class ReceiveRing extends Owned implements Receives {
  private static final VarHandle RETIRED =
      FieldHandles.of(MethodHandles.lookup(), ReceiveRing.class, "retired", int.class);
  private static final int REQUESTS = 8;

  private final Builder[] builders = new Builder[REQUESTS];
  private final long[] ids;
  private final long base;
  private final int logStride;
  private final int headBytes;
  private final int qpn;

  /** True when requests of other queues, not the doorbell record, enable the requests. */
  private final boolean managed;

  /** True when the requests are kept for repeated use, so that none of them is retired. */
  private boolean kept;

  /**
   * Requests can be posted again once a whole pass was posted from this index on: that of the first
   * request since the queue was created or reset, or a later one after a dropped request has
   * overwritten a slot.
   */
  private int origin;

  /** True when each slot holds a request that was posted since then. */
  private boolean filled;

  private long record;
  private int capacity;
  private int retired;

  /** Number of the request that was started last; the low bits tell which object it uses. */
  private int current;

  /** Index behind the last rung request. */
  private int rung;

  /** A queue over memory that the caller keeps alive and that no other queue uses. */
  public ReceiveRing(ReceiveRingLayout layout) {
    super(
        "QP 0x%x".formatted(layout.qpn()), "the receive queue of QP 0x%x".formatted(layout.qpn()));
    capacity = 1 << layout.logRequests();
    ids = new long[capacity];
    base = layout.address();
    logStride = layout.logStride();
    headBytes = layout.headBytes();
    qpn = layout.qpn();
    managed = layout.managed();
    record = layout.doorbellRecord() + DoorbellRecord.RECEIVE;
    rung = layout.startIndex() & 0xffff;
    origin = rung;
    retired = rung;
    String owner = "QP 0x%x".formatted(qpn);
    for (int i = 0; i < REQUESTS; i++) {
      builders[i] = new Builder(this, owner, ids, layout);
    }
    last().becomeEmpty(rung);
  }

  /** Starts a receive request. */
  public ReceiveLanding receive() {
    int number = current;
    Builder[] all = builders;
    // The JIT drops the bounds checks of exactly this form of index.
    Builder last = all[number & all.length - 1];
    int index = last.end;
    if (Checks.ENABLED && (!isOwned() || last.isHalfBuilt() || free(index) <= 0)) {
      requireReady(last);
    }
    current = number + 1;
    return all[number + 1 & all.length - 1].at(index);
  }

  private void requireReady(Builder last) {
    requireOwner();
    if (last.isHalfBuilt()) {
      throw halfBuilt("another can start");
    }
    if (free(last.end) <= 0) {
      throw full();
    }
  }

  /**
   * Posts the requests of the next slots once more, with the segments and ids that the slots hold
   * since the pass before.
   *
   * @param count at most {@link #freeRequests}
   * @throws IllegalArgumentException when it is negative
   * @throws IllegalStateException when a request is unfinished, not every slot holds a request yet,
   *     or the requests have signatures, which contain their index
   */
  public void repost(int count) {
    Builder last = last();
    int end = last.end;
    requireOwner();
    if (last.isHalfBuilt()) {
      throw halfBuilt("others can be posted again");
    }
    if (count < 0) {
      throw new IllegalArgumentException("%d requests can't be posted again".formatted(count));
    }
    if (count > free(end)) {
      throw free(end) > 0 ? tooMany(count) : full();
    }
    if (!filled && count > 0) {
      requireFilled(last);
      filled = true;
    }
    last.end = end + count;
  }

  private void requireFilled(Builder last) {
    if (last.signed) {
      throw new IllegalStateException(
          ("the receive requests of QP 0x%x have signatures, which contain their index: post each"
                  + " of them again with receive()")
              .formatted(qpn));
    }
    int posted = last.end - origin;
    if (Integer.compareUnsigned(posted, ids.length) < 0) {
      throw new IllegalStateException(
          ("only %d of the %d slots of the receive queue of QP 0x%x hold a request: fill the queue"
                  + " with receive() first")
              .formatted(posted, ids.length, qpn));
    }
  }

  /**
   * Starts a receive request of a queue with signatures; first rings for all requests before it.
   * The signature contains the index of the first request of a libmlx5 call, so each request is a
   * call of its own.
   */
  public ReceiveLanding receiveSigned() {
    if (!last().isHalfBuilt()) {
      ringDoorbell();
    }
    return receive();
  }

  /** Makes the device see all requests that were posted. */
  public void ringDoorbell() {
    Builder last = last();
    if (Checks.ENABLED && (!isOwned() || last.isHalfBuilt())) {
      requireOwner();
      if (last.isHalfBuilt()) {
        throw halfBuilt("its doorbell can ring");
      }
    }
    int producer = last.end;
    // Written before the doorbell: the poller checks completions against it.
    rung = producer;
    Memory.putIntRelease(record, producer & 0xffff);
  }

  /**
   * Drops the unfinished request, if any, unless the queue belongs to another thread; returns
   * whether there was one.
   */
  public boolean dropUnfinished() {
    Builder last = last();
    boolean unfinished = last.isHalfBuilt() && !isOthers();
    if (unfinished) {
      last.drop();
    }
    return unfinished;
  }

  /** Notes that a dropped request has overwritten the one in the slot of an index. */
  private void noteOverwritten(int index) {
    if (filled || Integer.compareUnsigned(index - origin, ids.length) >= 0) {
      filled = false;
      origin = index + 1 - ids.length;
    }
  }

  /** Requests that can be posted now. */
  public int freeRequests() {
    return Math.max(0, free(last().end));
  }

  /** Size of the ring in requests. */
  public int requests() {
    return ids.length;
  }

  /**
   * Refuses further requests, drops an unfinished one, and redirects the doorbell to unused memory.
   */
  public void close() {
    boolean unused = dropUnfinished();
    end();
    capacity = 0;
    kept = false;
    record = Parking.RECORD + DoorbellRecord.RECEIVE;
  }

  /** Empties the queue and starts at index 0, as the device does when the queue pair is reset. */
  public void reset() {
    last().becomeEmpty(0);
    if (kept) {
      kept = false;
      capacity = ids.length;
    }
    rung = 0;
    origin = 0;
    filled = false;
    RETIRED.setRelease(this, 0);
    Memory.putIntRelease(record, 0);
  }

  /** Requests that can be posted from an index on. */
  private int free(int index) {
    return capacity - (index - (int) RETIRED.getAcquire(this));
  }

  private Builder last() {
    return builders[current & builders.length - 1];
  }

  /** Retires the oldest request, which must be the one at {@code counter}. */
  boolean complete(int counter, CqeView view) {
    int first = retired;
    if (rung == first || (first & 0xffff) != counter) {
      return completeOther(counter, view);
    }
    view.id = ids[first & ids.length - 1];
    RETIRED.setRelease(this, first + 1);
    return true;
  }

  /** Completes a request of a managed queue, or one that is kept. */
  private boolean completeOther(int counter, CqeView view) {
    int first = retired;
    if (kept) {
      view.id = ids[counter & ids.length - 1];
      return true;
    }
    if (!managed || (first & 0xffff) != counter) {
      throw new IllegalStateException(
          ("the device completed receive request %d of QP 0x%x, but %s%s")
              .formatted(
                  counter,
                  qpn,
                  rung == first
                      ? "none is outstanding"
                      : "request %d is the next: its completion is missing, so replace the queue pair"
                          .formatted(first & 0xffff),
                  Checks.UNLESS_SHARED));
    }
    view.id = ids[first & ids.length - 1];
    RETIRED.setRelease(this, first + 1);
    return true;
  }

  /**
   * Keeps all requests, posted ones and those that other requests write, until {@link #reset}: no
   * more can be posted, and requests may complete any number of times, with the id of their slot.
   */
  public void keep() {
    Builder last = last();
    if (last.isHalfBuilt()) {
      throw halfBuilt("the queue can keep its requests");
    }
    kept = true;
    capacity = 0;
    // No request counts as outstanding in complete, which then takes the path for kept requests.
    rung = last.end;
    RETIRED.setRelease(this, last.end);
  }

  /**
   * Writes the whole ring and keeps it; the ids are the slot numbers.
   *
   * @param image requests from the first on, at most as many as the ring has
   * @param posted new value of the doorbell record, 16 bits; ignored for a managed queue
   * @throws IllegalArgumentException when the image is not a whole number of requests, or is longer
   *     than the ring
   * @throws IllegalStateException when requests were posted since the last reset
   */
  public void install(MemorySegment image, int posted) {
    long bytes = image.byteSize();
    int stride = 1 << logStride;
    if (bytes == 0 || bytes % stride != 0 || bytes > (long) ids.length << logStride) {
      throw new IllegalArgumentException(
          ("the receive ring of QP 0x%x takes 1 to %d requests of %d bytes, and the program has %d"
                  + " bytes")
              .formatted(qpn, ids.length, stride, bytes));
    }
    if (capacity == 0 && !kept) {
      throw full();
    }
    if (kept || last().isHalfBuilt() || last().end != 0) {
      throw new IllegalStateException(
          "receives were posted on QP 0x%x: reset it, and install the program first"
              .formatted(qpn));
    }
    Arrays.setAll(ids, slot -> slot);
    Memory.copyFrom(image, 0, base, (int) bytes);
    keep();
    if (!managed) {
      Memory.putIntRelease(record, posted & 0xffff);
    }
  }

  /**
   * Copies a message inside its completion to the memory of the oldest request.
   *
   * @param counter as for {@link #complete}, which throws if it is not the next request
   */
  void land(int counter, CqePayload payload, CqeView view) {
    int first = retired;
    if (rung == first || (first & 0xffff) != counter) {
      return;
    }
    int mask = (ids.length << logStride) - 1;
    int at = first << logStride & mask;
    int syndrome =
        payload.scatter(view.byteCount(), base, mask, at + headBytes, at + (1 << logStride));
    if (syndrome != 0) {
      view.fail(syndrome, CqePayload.refusal(syndrome, "receive", "QP 0x%x".formatted(qpn)));
    }
  }

  /** Ids of the posted requests whose completions have not been polled. */
  public long[] pendingIds() {
    int first = (int) RETIRED.getAcquire(this);
    // A range from index to index would be empty where the index becomes negative.
    return IntStream.range(0, last().end - first)
        .mapToLong(i -> ids[first + i & ids.length - 1])
        .toArray();
  }

  /** State of the queue: posted, rung and completed requests. Call it while no thread posts. */
  public ReceiveRingState state() {
    Builder last = last();
    int first = (int) RETIRED.getAcquire(this);
    int recorded = Memory.getInt(record) & 0xffff;
    return new ReceiveRingState(
        last.end - first & 0xffff,
        managed ? 0 : last.end - recorded & 0xffff,
        last.end & 0xffff,
        recorded,
        last.isHalfBuilt(),
        kept);
  }

  private IllegalStateException halfBuilt(String what) {
    return new IllegalStateException(
        ("a receive request of QP 0x%x is half built: end it with post, or call dropUnfinished,"
                + " before %s")
            .formatted(qpn, what));
  }

  private QueueFullException tooMany(int count) {
    return new QueueFullException(
        "the receive queue of QP 0x%x has room for %d requests, not for %d: see freeReceives()"
            .formatted(qpn, freeRequests(), count));
  }

  private IllegalStateException full() {
    if (kept) {
      return new IllegalStateException(
          "the receive queue of QP 0x%x holds a program: reset it to post other requests"
              .formatted(qpn));
    }
    return capacity == 0
        ? new ClosedException("QP 0x%x is closed".formatted(qpn))
        : new QueueFullException(
            ("the receive queue of QP 0x%x is full (%d requests): poll the completion queue of its"
                    + " receives until freeReceives() is positive")
                .formatted(qpn, ids.length));
  }

  /** A receive request of this queue. */
  private static final class Builder extends ReceiveBuilder {
    private final ReceiveRing ring;
    private final long[] ids;
    private final long base;
    private final int logStride;
    private final boolean signed;

    /** Index behind the request when it has ended, its own index until then. */
    private int end;

    Builder(ReceiveRing ring, String owner, long[] ids, ReceiveRingLayout layout) {
      super(owner, "queue pair", 1 << layout.logStride(), layout.headBytes());
      this.ring = ring;
      this.ids = ids;
      base = layout.address();
      logStride = layout.logStride();
      signed = layout.signed();
    }

    Builder at(int index) {
      end = index;
      begin(base + ((long) (index & ids.length - 1) << logStride));
      return this;
    }

    /** Takes the place of a request that ended before an index. */
    void becomeEmpty(int atIndex) {
      end = atIndex;
      finish();
    }

    @Override
    void drop() {
      if (isHalfBuilt() && offset() > start) {
        ring.noteOverwritten(end);
      }
      finish();
    }

    @Override
    public void post(long id) {
      check();
      // Without checks, a request that has ended may be posted again.
      if (signed && isHalfBuilt()) {
        sign();
      }
      terminate();
      if (signed) {
        clearRest();
      }
      ids[end & ids.length - 1] = id;
      end++;
      finish();
    }

    /** libmlx5 writes all bytes of signed requests. */
    private void clearRest() {
      while (offset() < stride) {
        put(0, 0);
      }
    }

    /**
     * Writes the signature as {@code qp.c: set_sig_seg} does: over the segments without their
     * terminator, the queue pair's number, and the index of the last doorbell, which in libmlx5 is
     * that of the first request of a call.
     */
    private void sign() {
      long sum = ring.qpn ^ ring.rung & 0xffff;
      for (int at = start; at < offset(); at += Long.BYTES) {
        sum ^= Memory.getLong(address() + at);
      }
      long words = SendSignatures.foldToByte(sum);
      Memory.putLong(address(), ReceiveSignatureSegment.SIGNATURE.place(~words));
      Memory.putLong(address() + Long.BYTES, 0);
    }
  }
}
