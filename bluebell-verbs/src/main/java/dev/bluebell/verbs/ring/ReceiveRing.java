package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.verbs.Checks;
import dev.bluebell.verbs.ReceiveRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A receive queue in memory. Mirrors {@code qp.c: mlx5_post_recv}.
 *
 * <p>One thread posts and rings; one thread polls the completion queue, which retires requests.
 */
public final class ReceiveRing {
  private static final VarHandle RETIRED;
  private static final int NONE = -1;
  private static final int REQUESTS = 8;
  private static final long TERMINATOR = DataSegment.first(0, DataSegment.INVALID_LKEY);

  static {
    try {
      RETIRED = MethodHandles.lookup().findVarHandle(ReceiveRing.class, "retired", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Builder[] builders = new Builder[REQUESTS];
  private final long[] ids;
  private final long base;
  private final int logStride;
  private final int stride;
  private final int qpn;

  private long record;
  private int capacity;
  private int producer;
  private int retired;

  private int active = NONE;
  private int next;
  private int offset;

  /** A queue over memory that the caller keeps alive and that no other queue uses. */
  public ReceiveRing(ReceiveRingLayout layout) {
    base = layout.address();
    capacity = 1 << layout.logRequests();
    ids = new long[capacity];
    logStride = layout.logStride();
    stride = 1 << logStride;
    qpn = layout.qpn();
    record = layout.doorbellRecord() + DoorbellRecord.RECEIVE;
    producer = layout.startIndex() & 0xffff;
    retired = producer;
    for (int i = 0; i < REQUESTS; i++) {
      builders[i] = new Builder(this, i);
    }
  }

  /** Starts a receive request. */
  public ReceiveRequest receive() {
    if (Checks.ENABLED && (active != NONE || free() <= 0)) {
      throw active != NONE ? halfBuilt("another can start") : full();
    }
    offset = 0;
    int slot = next;
    active = slot;
    next = slot + 1 & REQUESTS - 1;
    return builders[slot & REQUESTS - 1];
  }

  /** Makes the device see all requests that were posted. */
  public void ringDoorbell() {
    if (Checks.ENABLED && active != NONE) {
      throw halfBuilt("its doorbell can ring");
    }
    Memory.putIntRelease(record, producer & 0xffff);
  }

  /** Drops the request that is half built, if there is one, and tells whether there was. */
  public boolean dropUnfinished() {
    boolean unfinished = active != NONE;
    active = NONE;
    return unfinished;
  }

  /** Requests that can be posted now. */
  public int freeRequests() {
    return Math.max(0, free());
  }

  /** Size of the ring in requests. */
  public int requests() {
    return ids.length;
  }

  /** Most segments of a request. */
  public int maxScatter() {
    return stride / DataSegment.BYTES;
  }

  /** Refuses further requests; the doorbell rings nowhere from now on. */
  public void close() {
    capacity = 0;
    record = Parking.RECORD + DoorbellRecord.RECEIVE;
  }

  /** Empties the queue and starts at index 0, as the device does when the queue pair is reset. */
  public void reset() {
    active = NONE;
    producer = 0;
    RETIRED.setRelease(this, 0);
    Memory.putIntRelease(record, 0);
  }

  private int free() {
    return capacity - (producer - (int) RETIRED.getAcquire(this));
  }

  /** Retires the oldest request, which must be the one at {@code counter}. */
  boolean complete(int counter, CqeView view) {
    int first = retired;
    if (producer == first || (first & 0xffff) != counter) {
      throw new IllegalStateException(
          ("the device completed receive request %d of QP 0x%06x, but %s")
              .formatted(
                  counter,
                  qpn,
                  producer == first
                      ? "none is outstanding"
                      : "request %d is the next".formatted(first & 0xffff)));
    }
    view.id = ids[first & ids.length - 1];
    RETIRED.setRelease(this, first + 1);
    return true;
  }

  private void check(int request) {
    if (Checks.ENABLED && active != request) {
      throw new IllegalStateException(
          "this receive request of QP 0x%06x was already posted: start another".formatted(qpn));
    }
  }

  private void scatter(long address, int length, int lkey) {
    if (length <= 0) {
      if (length < 0) {
        throw drop(new IllegalArgumentException("a segment can't have %d bytes".formatted(length)));
      }
      return;
    }
    if (offset >= stride) {
      throw drop(
          new IllegalArgumentException(
              ("a receive request of QP 0x%06x has at most %d segments: create the queue pair with"
                      + " a larger maxScatter")
                  .formatted(qpn, maxScatter())));
    }
    put(DataSegment.first(length, lkey), address);
  }

  private void post(long id) {
    if (offset < stride) {
      put(TERMINATOR, 0);
    }
    ids[producer & ids.length - 1] = id;
    producer++;
    active = NONE;
  }

  private void put(long first, long second) {
    long slot = (long) (producer & ids.length - 1) << logStride;
    long at = base + slot + offset;
    Memory.putLong(at, first);
    Memory.putLong(at + 8, second);
    offset += DataSegment.BYTES;
  }

  private RuntimeException drop(RuntimeException reason) {
    active = NONE;
    return reason;
  }

  private IllegalStateException halfBuilt(String what) {
    return new IllegalStateException(
        ("a receive request of QP 0x%06x is half built: end it with post, or call dropUnfinished,"
                + " before %s")
            .formatted(qpn, what));
  }

  private IllegalStateException full() {
    return new IllegalStateException(
        capacity == 0
            ? "QP 0x%06x is closed".formatted(qpn)
            : ("the receive queue of QP 0x%06x is full (%d requests): wait until freeReceives() is"
                    + " positive")
                .formatted(qpn, ids.length));
  }

  /** The stages of a receive request, reused as those of {@link SendRequest}. */
  private static final class Builder implements ReceiveRequest {
    private final ReceiveRing ring;
    private final int number;

    Builder(ReceiveRing ring, int number) {
      this.ring = ring;
      this.number = number;
    }

    @Override
    public ReceiveRequest scatter(long address, int length, int lkey) {
      ring.check(number);
      ring.scatter(address, length, lkey);
      return this;
    }

    @Override
    public void post(long id) {
      ring.check(number);
      ring.post(id);
    }
  }
}
