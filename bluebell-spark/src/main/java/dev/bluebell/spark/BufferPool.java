package dev.bluebell.spark;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool of registered buffers for the blocks that are read. Registering costs far more than
 * reading, so buffers are reused. Thread-safe.
 */
final class BufferPool {
  private static final long SMALLEST = 64 << 10;

  private final ProtectionDomain domain;
  private final long limit;
  private final TreeMap<Long, Deque<MemoryRegion>> idle = new TreeMap<>();
  private long bytes;
  private boolean closed;

  /**
   * @param limit maximum total size of all buffers in bytes
   */
  BufferPool(ProtectionDomain domain, long limit) {
    this.domain = domain;
    this.limit = limit;
  }

  /** Sizes are in steps of a quarter to a fifth, so that buffers can be reused and waste little. */
  static long sizeFor(long wanted) {
    long step = Math.max(SMALLEST, Long.highestOneBit(wanted)) / 4;
    return Math.max(SMALLEST, (wanted + step - 1) / step * step);
  }

  /**
   * Takes a buffer of at least the given size; null when the limit of the pool would be exceeded,
   * or the device or the JVM has no memory. May wait for the device, unless there is an idle
   * buffer.
   */
  @Nullable MemoryRegion take(long wanted) {
    long size = sizeFor(wanted);
    List<MemoryRegion> surplus = new ArrayList<>();
    boolean fits;
    synchronized (this) {
      MemoryRegion region = takeIdle(size);
      if (region != null) {
        return region;
      }
      if (size > limit || closed) {
        return null;
      }
      freeIdle(size, surplus);
      fits = bytes + size <= limit;
      if (fits) {
        bytes += size;
      }
    }
    MemoryRegion region = null;
    try {
      closeAll(surplus);
      region = fits ? domain.allocate(size, Access.LOCAL_WRITE) : null;
    } catch (RuntimeException | OutOfMemoryError e) {
      // The device or the JVM allows less than the limit; other users may return buffers.
    }
    if (fits && region == null) {
      synchronized (this) {
        bytes -= size;
      }
    }
    return region;
  }

  /** Closes all regions, then throws if one could not be closed. */
  private static void closeAll(List<MemoryRegion> regions) {
    RuntimeException failure = null;
    for (MemoryRegion region : regions) {
      try {
        region.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable MemoryRegion takeIdle(long size) {
    for (Map.Entry<Long, Deque<MemoryRegion>> entry : idle.tailMap(size, true).entrySet()) {
      if (entry.getKey() > 2 * size) {
        break;
      }
      MemoryRegion region = entry.getValue().poll();
      if (region != null) {
        return region;
      }
    }
    return null;
  }

  /** Removes idle buffers from the pool to make room for a buffer of another size. */
  private void freeIdle(long wanted, List<MemoryRegion> surplus) {
    Iterator<Deque<MemoryRegion>> sizes = idle.values().iterator();
    while (bytes + wanted > limit && sizes.hasNext()) {
      Deque<MemoryRegion> regions = sizes.next();
      while (bytes + wanted > limit && !regions.isEmpty()) {
        MemoryRegion region = regions.remove();
        bytes -= region.length();
        surplus.add(region);
      }
    }
  }

  /** Takes back a buffer that the device no longer writes to. */
  synchronized void giveBack(MemoryRegion region) {
    if (closed) {
      return;
    }
    idle.computeIfAbsent(region.length(), size -> new ArrayDeque<>()).push(region);
  }

  /** Bytes of all buffers, used and idle. */
  synchronized long bytes() {
    return bytes;
  }

  /** Stops pooling; the memory itself belongs to the device, which is closed next. */
  synchronized void close() {
    closed = true;
    idle.clear();
  }
}
