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
 * The memory where the device reports on a queue pair's memory copies. Closed with its queue pair.
 * Immutable.
 */
public final class CopyReport implements AutoCloseable {
  /** Size in bytes of the report of a copy, as rdma-core's {@code verbs.c} allocates it. */
  private static final int BYTES = 64;

  /** Null when the queue pair makes no copies. */
  private final @Nullable MemoryRegionImpl region;

  private final @Nullable CopyReportMemory memory;

  private CopyReport(@Nullable MemoryRegionImpl region) {
    this.region = region;
    memory = region == null ? null : new CopyReportMemory(region.address(), region.lkey());
  }

  /** Creates one for a queue pair; without memory if {@code copies} is false. */
  public static CopyReport of(Domain domain, boolean copies) {
    return new CopyReport(copies ? Registration.allocate(domain, BYTES, Access.LOCAL_WRITE) : null);
  }

  /** Creates the queue pair; closes this report if that fails. */
  public <Q> Q with(Supplier<Q> creation) {
    try {
      return creation.get();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Allows the queue pair, which is in INIT, to make copies if there is memory for reports. */
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
