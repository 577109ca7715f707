package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.command.ConnectionCommands;
import dev.bluebell.verbs.memory.MemoryRegionImpl;
import dev.bluebell.verbs.memory.Registration;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.ring.CopyReportMemory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the device reports on the copies from memory to memory that a queue pair makes. It ends
 * with its queue pair. Immutable.
 */
public final class CopyReport implements AutoCloseable {
  /** Bytes that the device may report on a copy to, as rdma-core's {@code verbs.c} allocates. */
  private static final int BYTES = 64;

  /** Null when the queue pair makes no copies. */
  private final @Nullable MemoryRegionImpl region;

  private final @Nullable CopyReportMemory memory;

  private CopyReport(@Nullable MemoryRegionImpl region) {
    this.region = region;
    memory = region == null ? null : new CopyReportMemory(region.address(), region.lkey());
  }

  /** Makes one for a queue pair; with {@code copies} false, for one that makes none. */
  public static CopyReport of(Domain domain, boolean copies) {
    return new CopyReport(copies ? Registration.allocate(domain, BYTES, Access.LOCAL_WRITE) : null);
  }

  /** Creates the queue pair; when that fails, this ends. */
  public <Q> Q with(Supplier<Q> creation) {
    try {
      return creation.get();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Lets the queue pair, which is in INIT, make copies, if it shall. */
  public void allow(StateMachine states) {
    if (region != null) {
      states.modify(ConnectionCommands.initToInitWithCopies(states.number()));
    }
  }

  /**
   * The memory.
   *
   * @throws IllegalStateException when the queue pair makes no copies
   */
  public CopyReportMemory required(Lifetime queuePair) {
    if (memory == null) {
      throw new IllegalStateException(
          queuePair.name() + " makes no copies: create it with memoryCopies(true)");
    }
    return memory;
  }

  @Override
  public void close() {
    if (region != null) {
      region.close();
    }
  }
}
