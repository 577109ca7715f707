package dev.bluebell.spark;

import dev.bluebell.verbs.MemoryRegion;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A buffer of the pool that holds the blocks of one request, until the last of them is released.
 */
final class BlockBuffer {
  private final BufferPool pool;
  private final MemoryRegion region;
  private final AtomicInteger users = new AtomicInteger(1);
  private volatile boolean isSpoilt;

  BlockBuffer(BufferPool pool, MemoryRegion region) {
    this.pool = pool;
    this.region = region;
  }

  MemoryRegion region() {
    return region;
  }

  void retain() {
    if (users.getAndIncrement() < 1) {
      throw new IllegalStateException("the block was released before");
    }
  }

  void release() {
    int left = users.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("the block was released before");
    }
    if (left == 0 && !isSpoilt) {
      pool.giveBack(region);
    }
  }

  /** Keeps the memory out of the pool, because the device may still write to it. */
  void spoil() {
    isSpoilt = true;
  }
}
