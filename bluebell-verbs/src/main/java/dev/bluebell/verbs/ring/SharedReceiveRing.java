package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.NextSegment;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.ReceiveLanding;

/**
 * A shared receive queue in memory: a linked list of entries. Mirrors {@code srq.c:
 * mlx5_post_srq_recv, mlx5_free_srq_wqe}.
 *
 * <p>Free entries form a chain through their {@code next_wqe_index}: requests are posted from its
 * head, completed entries go to its tail in the order of their completions, and the last entry is
 * never posted, so that each posted entry has a successor. The device takes entries in the order of
 * these links.
 *
 * <p>One thread posts and rings. Any number of threads poll completions of the queue, which release
 * entries, see {@link EntryChain}.
 */
public final class SharedReceiveRing extends Owned implements Receives {
  private static final int REQUESTS = 8;
  private final SharedReceiveRingLayout layout;
  private final UnorderedRequests requests;
  private final Builder[] builders = new Builder[REQUESTS];
  private final EntryChain entries;
  private final int capacity;
  private int posted;
  private long record;
  private boolean closed;

  /** Number of the request that was started last; the low bits tell which object it uses. */
  private int current;

  /**
   * A queue over zeroed memory that the caller keeps alive and that no other queue uses. The chain
   * has all entries in their order.
   */
  public SharedReceiveRing(SharedReceiveRingLayout layout) {
    super(layout.name(), layout.name());
    this.layout = layout;
    requests = new UnorderedRequests(layout.entries(), 0);
    // The links in memory are for the device; they are never read here.
    entries = new EntryChain(layout.entries(), layout::link);
    capacity = layout.entries() - 1;
    record = layout.doorbellRecord() + DoorbellRecord.RECEIVE;
    for (int i = 0; i < REQUESTS; i++) {
      builders[i] = new Builder(this, layout);
    }
  }

  /** Starts a receive request. */
  public ReceiveLanding receive() {
    int number = current;
    Builder last = builders[number & builders.length - 1];
    if (Checks.ENABLED && (!isOwned() || last.isHalfBuilt())) {
      requireOwner();
      if (last.isHalfBuilt()) {
        throw halfBuilt("another can start");
      }
    }
    // Checked even with checks off: there is no entry to write to.
    if (closed || entries.free() <= 0 && entries.exactFree() <= 0) {
      throw full();
    }
    current = number + 1;
    return builders[number + 1 & builders.length - 1].at(entries.head());
  }

  /** Makes the device see all requests that were posted. */
  public void ringDoorbell() {
    if (Checks.ENABLED && (!isOwned() || last().isHalfBuilt())) {
      requireOwner();
      if (last().isHalfBuilt()) {
        throw halfBuilt("its doorbell can ring");
      }
    }
    Memory.putIntRelease(record, posted & 0xffff);
  }

  /**
   * Drops the unfinished request, if any, unless the queue belongs to another thread; returns
   * whether there was one.
   */
  public boolean dropUnfinished() {
    Builder last = last();
    boolean unfinished = last.isHalfBuilt() && !isOthers();
    if (unfinished) {
      last.finish();
    }
    return unfinished;
  }

  /** Requests that can be posted, as far as the posting thread knows: a stale count is too low. */
  public int freeRequests() {
    return closed ? 0 : entries.free();
  }

  /** Exact number of requests that can be posted: collects all released entries. */
  public int exactFreeRequests() {
    int free = entries.exactFree();
    return closed ? 0 : free;
  }

  /** Maximum number of outstanding requests. */
  public int requests() {
    return capacity;
  }

  /** Most segments of a request. */
  public int maxScatter() {
    return layout.maxScatter();
  }

  /**
   * Refuses further requests, drops an unfinished one, and redirects the doorbell to unused memory.
   */
  public void close() {
    boolean unused = dropUnfinished();
    end();
    closed = true;
    record = Parking.RECORD + DoorbellRecord.RECEIVE;
  }

  /** The entry that the next request takes. Call it on the posting thread. */
  int nextEntry() {
    return entries.head();
  }

  /** True when the request of an entry is outstanding. */
  boolean isOutstanding(int entry) {
    return requests.isOutstanding(entry);
  }

  /** Posted requests that have not been rung. Call it while no thread posts. */
  public int unrung() {
    return posted - Memory.getInt(record) & 0xffff;
  }

  /**
   * Releases the entry that a completion names.
   *
   * @param counter 16 bits, as the completion gives it
   * @throws IllegalStateException when the entry is not outstanding
   */
  boolean complete(int counter, CqeView view) {
    // Reading the id of an entry that is not outstanding is harmless, because the id is not used.
    long id = requests.id(counter);
    if (!release(counter)) {
      throw new IllegalStateException(
          "the device completed entry %d of %s, which is not outstanding"
              .formatted(counter, layout.name()));
    }
    view.id = id;
    return true;
  }

  /**
   * Copies a message inside its completion to the memory of an entry.
   *
   * @param counter as for {@link #complete}, which throws if it is not outstanding
   */
  void land(int counter, CqePayload payload, CqeView view) {
    if (!requests.isOutstanding(counter) || counter >= layout.entries()) {
      return;
    }
    int stride = 1 << layout.logStride();
    long at = layout.address() + (long) counter * stride;
    int syndrome = payload.scatter(view.byteCount(), at, stride - 1, NextSegment.BYTES, stride);
    if (syndrome != 0) {
      view.fail(syndrome, CqePayload.refusal(syndrome, "receive", layout.name()));
    }
  }

  /**
   * Releases an entry whose completion is not delivered.
   *
   * @return false when it is not outstanding
   */
  boolean release(int counter) {
    if (!requests.release(counter)) {
      return false;
    }
    entries.release(counter);
    return true;
  }

  private Builder last() {
    return builders[current & builders.length - 1];
  }

  private IllegalStateException halfBuilt(String what) {
    return new IllegalStateException(
        "a receive request of %s is half built: end it with post, or call dropUnfinished, before %s"
            .formatted(layout.name(), what));
  }

  private IllegalStateException full() {
    return closed
        ? new ClosedException(layout.name() + " is closed")
        : new QueueFullException(
            ("%s is full (%d requests): poll the completion queues of its queue pairs until"
                    + " exactFreeReceives() is positive")
                .formatted(layout.name(), capacity));
  }

  /** A receive request of this queue. */
  private static final class Builder extends ReceiveBuilder {
    private final SharedReceiveRing ring;
    private final long base;
    private final int logStride;
    private int entry;

    Builder(SharedReceiveRing ring, SharedReceiveRingLayout layout) {
      super(layout.name(), "queue", 1 << layout.logStride(), NextSegment.BYTES);
      this.ring = ring;
      base = layout.address();
      logStride = layout.logStride();
    }

    Builder at(int atEntry) {
      entry = atEntry;
      begin(base + ((long) atEntry << logStride));
      return this;
    }

    @Override
    public void post(long id) {
      check();
      terminate();
      finish();
      ring.requests.add(entry, 1, id);
      ring.entries.take();
      ring.posted++;
    }
  }
}
