package dev.bluebell.verbs.tag;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.RendezvousTargetBuilder;
import dev.bluebell.verbs.TagBuffer;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.pair.RcQueuePairBuilderImpl;
import dev.bluebell.verbs.pair.RcQueuePairImpl;
import dev.bluebell.verbs.receive.LinkedReceives;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.receive.SharedSource;
import dev.bluebell.verbs.ring.TagMatchingRing;
import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;

/** Implements {@link TagMatchingReceiveQueue}. */
public final class TagMatchingReceiveQueueImpl extends LinkedReceives
    implements TagMatchingReceiveQueue, SharedSource {
  private final Domain domain;
  private final CompletionQueueImpl completions;
  private final boolean rendezvous;
  private final int userIndex;
  private final TagMatchingRing matching;

  private TagMatchingReceiveQueueImpl(
      Domain domain,
      CompletionQueueImpl completions,
      SharedReceiveShape shape,
      int logTags,
      int operations,
      boolean rendezvous,
      int userIndex,
      Teardown teardown) {
    super(
        domain,
        shape,
        new Kind(
            "XRQ",
            entries ->
                TagMatchingCommands.create(
                    entries, completions.number(), userIndex, logTags, rendezvous),
            TagMatchingCommands::limit),
        List.of(domain.lifetime(), completions.lifetime()),
        teardown);
    this.domain = domain;
    this.rendezvous = rendezvous;
    this.completions = completions;
    this.userIndex = userIndex;
    try {
      RcQueuePairImpl commands = commands(operations);
      teardown.add(commands::close);
      matching = new TagMatchingRing(logTags, ring(), commands.ring(), lifetime.name());
      device.queues().set(userIndex, WorkQueues.shared(matching));
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
  }

  /**
   * Creates a queue.
   *
   * @param logTags binary logarithm of the entries in the list of tags, the spare one included
   * @param operations size of the queue of operations
   */
  public static TagMatchingReceiveQueueImpl create(
      Domain domain,
      CompletionQueueImpl completions,
      SharedReceiveShape shape,
      int logTags,
      int operations,
      boolean rendezvous) {
    Teardown teardown = new Teardown();
    int userIndex = domain.device().queues().reserve();
    // Runs last. A poll that finds the queue until then reads memory that lives as long as its
    // ring.
    teardown.add(() -> domain.device().queues().release(userIndex, completions.ring()));
    return create(
        domain.device(),
        () ->
            new TagMatchingReceiveQueueImpl(
                domain, completions, shape, logTags, operations, rendezvous, userIndex, teardown));
  }

  /**
   * Creates the queue pair whose requests change the list; it is connected to itself, as in
   * libmlx5.
   */
  private RcQueuePairImpl commands(int operations) {
    // With a separate lifetime: it is closed with this queue and must not prevent its closing.
    SharedReceives pool = new SharedReceives(device, number(), new Lifetime(lifetime.name()), null);
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
    return matching.add(tag, mask);
  }

  @Override
  public boolean remove(int handle, long operationId) {
    return matching.remove(handle, operationId);
  }

  @Override
  public void synchronize(int handled, long operationId) {
    matching.synchronize(handled, operationId);
  }

  @Override
  public int unexpected() {
    return matching.unexpected();
  }

  @Override
  public void ringDoorbell() {
    matching.ringDoorbell();
  }

  @Override
  public ReceiveLanding receive() {
    return matching.receive();
  }

  @Override
  public void ringReceiveDoorbell() {
    matching.ringReceiveDoorbell();
  }

  @Override
  public void handOver() {
    matching.handOver();
  }

  @Override
  public boolean dropUnfinished() {
    return matching.dropUnfinished();
  }

  @Override
  public int freeTags() {
    return matching.freeTags();
  }

  @Override
  public int exactFreeTags() {
    return matching.exactFreeTags();
  }

  @Override
  public int tags() {
    return matching.tags();
  }

  @Override
  public int freeOperations() {
    return matching.freeOperations();
  }

  @Override
  public RendezvousTargetBuilder rendezvousTarget() {
    if (!rendezvous) {
      throw new IllegalStateException(
          lifetime.name() + " does not use rendezvous: create it with rendezvous(true)");
    }
    return new RendezvousTargetBuilderImpl(this);
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
    return new SharedReceives(device, number(), lifetime, null);
  }
}
