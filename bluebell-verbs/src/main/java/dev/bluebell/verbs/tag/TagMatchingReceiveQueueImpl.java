package dev.bluebell.verbs.tag;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.RendezvousTargetBuilder;
import dev.bluebell.verbs.TagBuffer;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.command.ReceiveEntries;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.pair.RcQueuePairBuilderImpl;
import dev.bluebell.verbs.pair.RcQueuePairImpl;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.receive.SharedSource;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.TagMatchingRing;
import dev.bluebell.verbs.ring.WorkQueues;
import dev.bluebell.verbs.value.Ranges;
import java.util.List;

/** Implements {@link TagMatchingReceiveQueue}. */
public final class TagMatchingReceiveQueueImpl extends DeviceObject
    implements TagMatchingReceiveQueue, SharedSource {
  private final Domain domain;
  private final CompletionQueueImpl completions;

  /** Keeps the entries reachable: the ring has only their address. */
  private final ReceiveEntries entries;

  private final boolean rendezvous;
  private final int userIndex;
  private final HcaObject object;
  private final TagMatchingRing ring;
  private volatile Runnable limitHandler = TagMatchingReceiveQueueImpl::ignore;

  public TagMatchingReceiveQueueImpl(
      Domain domain,
      CompletionQueueImpl completions,
      SharedReceiveShape shape,
      int logTags,
      int operations,
      boolean rendezvous) {
    super(domain.device(), new Teardown(), List.of(domain.lifetime(), completions.lifetime()));
    this.domain = domain;
    this.rendezvous = rendezvous;
    this.completions = completions;
    try {
      entries = ReceiveEntries.allocate(domain, shape, teardown);
      userIndex = device.queues().reserve();
      teardown.add(() -> device.queues().release(userIndex, completions.ring()));
      object =
          device
              .hca()
              .create(
                  TagMatchingCommands.create(
                      entries, completions.number(), userIndex, logTags, rendezvous));
      teardown.add(object::close);
      RcQueuePairImpl commands = commands(operations);
      teardown.add(commands::close);
      SharedReceiveRing receives = entries.ring(lifetime.name());
      ring = new TagMatchingRing(logTags, receives, commands.ring(), lifetime.name());
      teardown.add(ring::close);
      device.queues().set(userIndex, WorkQueues.shared(ring));
      teardown.add(device.watchReceives(object, () -> limitHandler.run()));
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
  }

  private static void ignore() {}

  /**
   * Creates the queue pair whose requests change the list; it is connected to itself, as in
   * libmlx5.
   */
  private RcQueuePairImpl commands(int operations) {
    // With a separate lifetime: it is closed with this queue and must not prevent its closing.
    SharedReceives pool =
        new SharedReceives(device, object.number(), new Lifetime(lifetime.name()), null);
    RcQueuePairBuilderImpl builder = new RcQueuePairBuilderImpl(domain, completions);
    builder.receiveFrom(pool).sendQueue(operations).maxGather(1).maxInline(0);
    RcQueuePairImpl commands = builder.create();
    try {
      commands.connect(commands.endpoint());
    } catch (RuntimeException | Error e) {
      commands.close();
      throw e;
    }
    return commands;
  }

  @Override
  public TagBuffer add(long tag, long mask) {
    return ring.add(tag, mask);
  }

  @Override
  public boolean remove(int handle, long operationId) {
    return ring.remove(handle, operationId);
  }

  @Override
  public void synchronize(int handled, long operationId) {
    ring.synchronize(handled, operationId);
  }

  @Override
  public int unexpected() {
    return ring.unexpected();
  }

  @Override
  public void ringDoorbell() {
    ring.ringDoorbell();
  }

  @Override
  public ReceiveLanding receive() {
    return ring.receive();
  }

  @Override
  public void ringReceiveDoorbell() {
    ring.ringReceiveDoorbell();
  }

  @Override
  public void handOver() {
    ring.handOver();
  }

  @Override
  public boolean dropUnfinished() {
    return ring.dropUnfinished();
  }

  @Override
  public int freeTags() {
    return ring.freeTags();
  }

  @Override
  public int exactFreeTags() {
    return ring.exactFreeTags();
  }

  @Override
  public int tags() {
    return ring.tags();
  }

  @Override
  public int freeOperations() {
    return ring.freeOperations();
  }

  @Override
  public int freeReceives() {
    return ring.receives().freeRequests();
  }

  @Override
  public int exactFreeReceives() {
    return ring.receives().exactFreeRequests();
  }

  @Override
  public int requests() {
    return ring.receives().requests();
  }

  @Override
  public synchronized void arm(int limit, Runnable handler) {
    lifetime.requireOpen();
    Ranges.require("limit", limit, 0, requests());
    limitHandler = handler;
    byte[] unused = object.modify(TagMatchingCommands.limit(object.number(), limit));
  }

  @Override
  public RendezvousTargetBuilder rendezvousTarget() {
    if (!rendezvous) {
      throw new IllegalStateException(
          lifetime.name() + " does not use rendezvous: create it with rendezvous(true)");
    }
    return new RendezvousTargetBuilderImpl(this);
  }

  @Override
  public int number() {
    return object.number();
  }

  @Override
  public String toString() {
    return "XRQ 0x%x".formatted(object.number());
  }

  public Domain domain() {
    return domain;
  }

  public CompletionQueueImpl completions() {
    return completions;
  }

  public int userIndex() {
    return userIndex;
  }

  @Override
  public SharedReceives shared() {
    return new SharedReceives(device, object.number(), lifetime, null);
  }
}
