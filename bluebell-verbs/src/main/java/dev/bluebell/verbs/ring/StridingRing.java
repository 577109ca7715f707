package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.StridingEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A striding receive queue in memory: its entries are divided into strides, and each packet takes
 * one stride and has a completion. Mirrors {@code rc_mlx5.inl: uct_rc_mlx5_iface_release_srq_seg}
 * of UCX.
 *
 * <p>One thread posts and rings. Any number of threads poll, and release strides.
 */
public final class StridingRing implements Receives {
  private static final VarHandle COUNTS =
      FieldHandles.of(MethodHandles.lookup(), Entry.class, "counts", long.class);

  /** In {@link Entry#counts}: one stride that a completion reported. */
  private static final long TOLD = 1L << 32;

  /** In {@link Entry#counts}: one stride that was read. */
  private static final long READ = 1;

  private final SharedReceiveRing requests;
  private final int strides;
  private final int logStrideBytes;
  private final String name;

  /** By slot: the entry that was posted there last. */
  private final @Nullable Entry[] posted;

  /**
   * A queue without entries.
   *
   * @param requests ring of the entries; nothing else may post to it
   * @param logStrides binary logarithm of the strides of an entry, 3 … 16
   * @param logStrideBytes binary logarithm of the bytes of a stride, 6 … 13
   * @param name of the queue, as messages name it
   */
  public StridingRing(SharedReceiveRing requests, int logStrides, int logStrideBytes, String name) {
    this.requests = requests;
    strides = 1 << logStrides;
    this.logStrideBytes = logStrideBytes;
    this.name = name;
    posted = new Entry[requests.requests() + 1];
  }

  /**
   * Makes an entry.
   *
   * @throws IndexOutOfBoundsException when it exceeds the region
   */
  public StridingEntry entry(MemoryRegion region, long offset, long id) {
    if (!RegionRange.isInside(region, offset, strides << logStrideBytes)) {
      throw RegionRange.outside(region, offset, strides << logStrideBytes);
    }
    return new Entry(this, region, offset, id);
  }

  /** Strides of an entry. */
  public int strides() {
    return strides;
  }

  /** Bytes of a stride. */
  public int strideBytes() {
    return 1 << logStrideBytes;
  }

  /** State of the queue. */
  public StridingRingState state() {
    int waiting = 0;
    int left = 0;
    int unread = 0;
    for (int slot = 0; slot < posted.length; slot++) {
      Entry entry = posted[slot];
      if (entry != null) {
        long counts = entry.counts();
        unread += told(counts) - read(counts);
        if (requests.isOutstanding(slot)) {
          waiting++;
          left += strides - told(counts);
        }
      }
    }
    return new StridingRingState(waiting, left, unread, requests.unrung());
  }

  /**
   * Takes a completion.
   *
   * @param last last word of the completion
   * @throws IllegalStateException when its entry is not outstanding, or the completion is invalid;
   *     in the latter case its stride counts as read
   */
  boolean complete(long last, CqeView view) {
    Entry entry = outstanding(Cqe.wqeCounter(last));
    if (entry == null) {
      throw notOutstanding(Cqe.wqeCounter(last));
    }
    String problem = view.takeStride(entry, strides, logStrideBytes);
    tell(entry, Cqe.wqeCounter(last), problem == null ? TOLD : TOLD + READ);
    if (problem != null) {
      throw new IllegalStateException(
          "the device reported %s of entry %d of %s".formatted(problem, entry.id, name));
    }
    view.id = entry.id;
    return true;
  }

  /** Drops a completion that is not delivered: its stride counts as read. */
  void drop(int counter) {
    Entry entry = outstanding(counter);
    if (entry != null) {
      tell(entry, counter, TOLD + READ);
    }
  }

  private @Nullable Entry outstanding(int counter) {
    return counter < posted.length && requests.isOutstanding(counter) ? posted[counter] : null;
  }

  private void tell(Entry entry, int counter, long change) {
    long before = (long) COUNTS.getAndAdd(entry, change);
    int told = told(before) + 1;
    if (told > strides) {
      COUNTS.getAndAdd(entry, -change);
      throw notOutstanding(counter);
    }
    // This frees the slot for the next entry; threads may still be reading the strides of this one.
    if (told == strides && !requests.release(counter)) {
      throw notOutstanding(counter);
    }
  }

  private IllegalStateException notOutstanding(int counter) {
    return new IllegalStateException(
        "the device completed entry %d of %s, which is not outstanding".formatted(counter, name));
  }

  private static int told(long counts) {
    return (int) (counts >>> 32);
  }

  private static int read(long counts) {
    return (int) counts;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Memory for strides; see {@link StridingEntry}. */
  public static final class Entry extends StridingEntry {
    private final StridingRing ring;
    private final MemoryRegion region;
    private final long offset;
    private final long id;

    /** Strides reported by completions since the last post, and those of them that were read. */
    @SuppressWarnings("UnusedVariable")
    private long counts;

    Entry(StridingRing ring, MemoryRegion region, long offset, long id) {
      this.ring = ring;
      this.region = region;
      this.offset = offset;
      this.id = id;
      counts = ring.strides * (TOLD + READ);
    }

    long counts() {
      return (long) COUNTS.getAcquire(this);
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public MemoryRegion region() {
      return region;
    }

    @Override
    public long offset() {
      return offset;
    }

    @Override
    public long address() {
      return region.address() + offset;
    }

    @Override
    public void post() {
      long now = counts();
      if (read(now) != ring.strides) {
        throw new IllegalStateException(
            "entry %d of %s is in use: of its %d strides %d were reported and %d released"
                .formatted(id, ring.name, ring.strides, told(now), read(now)));
      }
      int slot = ring.requests.nextEntry();
      var request = ring.requests.receive().scatter(address(), bytes(), region.lkey());
      COUNTS.setRelease(this, 0L);
      ring.posted[slot] = this;
      request.post(id);
    }

    private int bytes() {
      return ring.strides << ring.logStrideBytes;
    }

    @Override
    public boolean release() {
      long before = (long) COUNTS.getAndAdd(this, READ);
      if (read(before) >= told(before)) {
        COUNTS.getAndAdd(this, -READ);
        throw new IllegalStateException(
            "%s: every stride that was reported so far (%d) was already released"
                .formatted(this, told(before)));
      }
      return read(before) + 1 == ring.strides;
    }

    @Override
    public boolean isFree() {
      return read(counts()) == ring.strides;
    }

    @Override
    public String toString() {
      return "entry %d of %s".formatted(id, ring.name);
    }
  }
}
