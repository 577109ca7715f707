package dev.bluebell.verbs;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the device reports on the copies from memory to memory that a queue pair makes. It ends
 * with its queue pair. Immutable.
 */
final class CopyReport implements AutoCloseable {
  /** Bytes that the device may report on a copy to, as rdma-core's {@code verbs.c} allocates. */
  private static final int BYTES = 64;

  /** Null when the queue pair makes no copies. */
  private final @Nullable MemoryRegion region;

  private CopyReport(@Nullable MemoryRegion region) {
    this.region = region;
  }

  /** Makes one for a queue pair; with {@code copies} false, for one that makes none. */
  static CopyReport of(ProtectionDomain domain, boolean copies) {
    return new CopyReport(copies ? domain.allocate(BYTES, Access.LOCAL_WRITE) : null);
  }

  /** Creates the queue pair; when that fails, this ends. */
  <Q> Q with(Supplier<Q> creation) {
    try {
      return creation.get();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Lets the queue pair, which is in INIT, make copies, if it shall. */
  void allow(StateMachine states) {
    if (region != null) {
      states.modify(ConnectionCommands.initToInitWithCopies(states.number()));
    }
  }

  /** The memory. */
  MemoryRegion required(Lifetime queuePair) {
    MemoryRegion there = region;
    if (there == null) {
      throw new IllegalStateException(
          queuePair.name() + " makes no copies: create it with memoryCopies(true)");
    }
    return there;
  }

  /** Address of a range of a region. */
  static long address(MemoryRegion region, long offset, int length) {
    return region.address() + Objects.checkFromIndexSize(offset, length, region.length());
  }

  @Override
  public void close() {
    if (region != null) {
      region.close();
    }
  }
}
