package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.StridingEntry;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.command.SharedReceiveCommands;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.memory.MemoryRegionImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.StridingRing;
import java.util.List;

/** Implements {@link StridingReceiveQueue}. */
public final class StridingReceiveQueueImpl extends LinkedReceives
    implements StridingReceiveQueue, SharedSource {
  private final Domain domain;
  private final StridingRing strides;

  public StridingReceiveQueueImpl(
      Domain domain, SharedReceiveShape shape, int logStrides, int logStrideBytes) {
    super(
        domain,
        shape,
        new Kind(
            "striding RQ",
            entries -> SharedReceiveCommands.createStriding(entries, logStrides, logStrideBytes),
            SharedReceiveCommands::limit),
        List.of(domain.lifetime()),
        new Teardown());
    this.domain = domain;
    strides = new StridingRing(ring(), logStrides, logStrideBytes, lifetime().name());
  }

  @Override
  public void ringDoorbell() {
    ring().ringDoorbell();
  }

  @Override
  public void handOver() {
    ring().handOver();
  }

  @Override
  public StridingEntry entry(MemoryRegion region, long offset, long id) {
    ((MemoryRegionImpl) region).requireIn(domain);
    return strides.entry(region, offset, id);
  }

  @Override
  public int strides() {
    return strides.strides();
  }

  @Override
  public int strideBytes() {
    return strides.strideBytes();
  }

  @Override
  public int entryBytes() {
    return strides.strides() * strides.strideBytes();
  }

  @Override
  public SharedReceives shared() {
    return new SharedReceives(device(), number(), lifetime(), strides);
  }
}
