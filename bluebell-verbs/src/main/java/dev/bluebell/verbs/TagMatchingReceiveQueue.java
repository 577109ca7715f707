package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import dev.bluebell.verbs.ring.TagMatchingRing;
import dev.bluebell.verbs.ring.WorkQueues;

/**
 * A receive queue that puts each message where its tag says (TM-SRQ): into the memory of the first
 * tag in its list that matches, without the message's {@link TagHeader}. A message that matches
 * none is unexpected: it goes to a receive request, its header first. Reliable connections receive
 * from it. Mirrors {@code verbs.h: IBV_SRQT_TM}.
 *
 * <p>The list changes by operations, in the order in which they were posted: tags are added, {@link
 * #remove removed}, and the device is {@linkplain #synchronize told} how many unexpected messages
 * the application has handled. That is needed because a message can be on its way to a receive
 * request while its tag is added: the device counts unexpected messages, and what is added while
 * its count and the application's differ may wait until they are equal. {@link
 * Completion#wantsSynchronization} says when to tell.
 *
 * <p>Everything is told by one completion queue: operations in their order, tags in any order.
 * Large messages have two completions: {@link Completion#isTagMatch} with the first, {@link
 * Completion#isTagDone} with the last, by which the entry in the list is free again.
 *
 * <p>Posting, ringing and counting belong to one thread at a time, polling to one thread. Arming
 * and closing are thread-safe.
 */
public final class TagMatchingReceiveQueue implements AutoCloseable {
  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final Teardown teardown = new Teardown();

  /** Keeps the entries reachable, as the ring knows their address only. */
  private final QueueMemory memory;

  private final boolean rendezvous;
  private final int userIndex;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final TagMatchingRing ring;
  private volatile Runnable limitHandler = TagMatchingReceiveQueue::ignore;

  TagMatchingReceiveQueue(
      ProtectionDomain domain,
      CompletionQueue completions,
      SharedReceiveShape shape,
      int logTags,
      int operations,
      boolean rendezvous) {
    this.domain = domain;
    this.rendezvous = rendezvous;
    this.completions = completions;
    Device device = domain.device();
    try {
      memory = QueueMemory.allocate(device.hca(), shape.bytes(), teardown);
      DoorbellRecordPool.Record record = device.records().take();
      teardown.add(() -> device.records().give(record));
      userIndex = device.queues().reserve();
      teardown.add(() -> device.queues().release(userIndex, completions.ring()));
      object =
          device
              .hca()
              .create(
                  TagMatchingCommands.create(
                      domain.number(),
                      completions.number(),
                      userIndex,
                      memory,
                      record,
                      shape,
                      logTags,
                      rendezvous));
      teardown.add(object::close);
      lifetime = new Lifetime("XRQ 0x%x".formatted(object.number()));
      RcQueuePair commands = commands(operations);
      teardown.add(commands::close);
      SharedReceiveRing receives =
          new SharedReceiveRing(
              new SharedReceiveRingLayout(
                  memory.address(),
                  shape.logEntries(),
                  shape.logStride(),
                  record.address(),
                  lifetime.name()));
      ring = new TagMatchingRing(logTags, receives, commands.send, lifetime.name());
      teardown.add(ring::close);
      device.queues().set(userIndex, WorkQueues.shared(ring));
      teardown.add(device.watchReceives(object, () -> limitHandler.run()));
      use(domain.lifetime());
      use(completions.lifetime());
      completions.admit(this);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  private static void ignore() {}

  private void use(Lifetime used) {
    used.addUser(this);
    teardown.add(() -> used.removeUser(this));
  }

  /**
   * The queue pair whose requests change the list; it is connected to itself, as libmlx5 has it.
   */
  private RcQueuePair commands(int operations) {
    // With a lifetime of its own, because it ends with this queue and does not keep it.
    SharedReceives pool =
        new SharedReceives(domain.device(), object.number(), new Lifetime(lifetime.name()), null);
    RcQueuePair commands =
        domain
            .rcQueuePair(completions)
            .sendQueue(operations)
            .maxGather(1)
            .maxInline(0)
            .receiveFrom(pool)
            .create();
    try {
      commands.connect(commands.endpoint());
    } catch (RuntimeException e) {
      commands.close();
      throw e;
    }
    return commands;
  }

  /**
   * Starts to add a tag to the list, behind all that are in it.
   *
   * @param tag what a message's tag must be
   * @param mask the bits of it that count; 0 matches every message
   * @throws IllegalStateException when the list or the queue of operations is full, or another
   *     operation is half built
   */
  @CheckReturnValue
  public TagBuffer add(long tag, long mask) {
    return ring.add(tag, mask);
  }

  /**
   * Posts the removal of a tag. Its completion, {@link WorkOpcode#TAG_REMOVE}, fails with {@link
   * CompletionStatus#TAG_NOT_FOUND} when a message took the tag before.
   *
   * @param handle what the tag was given when it was added
   * @param operationId id of that completion
   * @return false when a completion has told already that a message took the tag; nothing was
   *     posted
   */
  public boolean remove(int handle, long operationId) {
    return ring.remove(handle, operationId);
  }

  /**
   * Posts that the device be told how many unexpected messages the application has handled.
   *
   * @param handled as {@link #unexpected} counts them; 16 bits count
   * @param operationId id of the completion, {@link WorkOpcode#TAG_SYNCHRONIZE}
   */
  public void synchronize(int handled, long operationId) {
    ring.synchronize(handled, operationId);
  }

  /** Unexpected messages whose completions were polled, modulo 2^16. */
  public int unexpected() {
    return ring.unexpected();
  }

  /**
   * Makes the device see all operations that were posted.
   *
   * @throws IllegalStateException when an operation is half built
   */
  public void ringDoorbell() {
    ring.ringDoorbell();
  }

  /**
   * Starts a receive request: memory for a message that is unexpected or has no tag, and for its
   * header.
   *
   * @throws IllegalStateException when all requests are outstanding, another is half built, or the
   *     queue is closed
   */
  @CheckReturnValue
  public ReceiveLanding receive() {
    return ring.receive();
  }

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws IllegalStateException when a request is half built
   */
  public void ringReceiveDoorbell() {
    ring.ringReceiveDoorbell();
  }

  /**
   * Lets another thread post: the next one that posts has the queue.
   *
   * @throws NotOwnerException when it belongs to another thread than the caller
   */
  public void handOver() {
    ring.handOver();
  }

  /**
   * Drops the operation and the receive request that are half built, if there are such: after a
   * failure between two stages.
   *
   * @return whether there was one
   */
  public boolean dropUnfinished() {
    return ring.dropUnfinished();
  }

  /**
   * Tags that can be added, as far as the posting thread knows: the count may be old, and is then
   * too low. A tag can be added as long as either count is positive.
   */
  public int freeTags() {
    return ring.freeTags();
  }

  /** Tags that can be added now: takes all entries that completions released. */
  public int exactFreeTags() {
    return ring.exactFreeTags();
  }

  /** Most tags in the list. */
  public int tags() {
    return ring.tags();
  }

  /**
   * Operations that can be posted now. Space is freed when a later signalled operation, or the
   * operation itself, has been polled from the completion queue.
   */
  public int freeOperations() {
    return ring.freeOperations();
  }

  /** Receive requests that can be posted, as far as is known, as {@link #freeTags}. */
  public int freeReceives() {
    return ring.receives().freeRequests();
  }

  /** Receive requests that can be posted now, as {@link #exactFreeTags}. */
  public int exactFreeReceives() {
    return ring.receives().exactFreeRequests();
  }

  /** Most receive requests that can be outstanding. */
  public int requests() {
    return ring.receives().requests();
  }

  /**
   * Asks to be told once when fewer receive requests are outstanding than a limit, as {@link
   * SharedReceiveQueue#arm(int, Runnable)}.
   */
  public synchronized void arm(int limit, Runnable handler) {
    lifetime.requireOpen();
    Ranges.require("limit", limit, 0, requests());
    limitHandler = handler;
    byte[] unused = object.modify(TagMatchingCommands.limit(object.number(), limit));
  }

  /**
   * Starts to describe an end of a connection whose rendezvous the device does.
   *
   * @throws IllegalStateException when the queue was not created with {@link
   *     TagMatchingReceiveQueueBuilder#rendezvous}
   */
  public RendezvousTargetBuilder rendezvousTarget() {
    if (!rendezvous) {
      throw new IllegalStateException(
          lifetime.name() + " does no rendezvous: create it with rendezvous(true)");
    }
    return new RendezvousTargetBuilder(this);
  }

  /** Number of the queue, 24 bits. */
  public int number() {
    return object.number();
  }

  /**
   * Destroys the queue. What has not been polled by now is never told. Idempotent.
   *
   * @throws IllegalStateException when queue pairs still receive from it
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      domain.device().remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }

  Device device() {
    return domain.device();
  }

  ProtectionDomain domain() {
    return domain;
  }

  CompletionQueue completions() {
    return completions;
  }

  int userIndex() {
    return userIndex;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  /** This queue, as queue pairs receive from it. */
  SharedReceives shared() {
    return new SharedReceives(domain.device(), object.number(), lifetime, null);
  }
}
