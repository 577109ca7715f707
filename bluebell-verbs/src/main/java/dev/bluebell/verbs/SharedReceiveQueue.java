package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;

/**
 * A receive queue that many queue pairs share: a message to any of them takes the next request. Its
 * completion comes to the completion queue of the queue pair that received the message, and gives
 * the request's entry back, in whatever order completions are polled. Mirrors {@code verbs.h:
 * ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. The completions of its queue
 * pairs may be polled by any number of threads. Arming and closing are thread-safe.
 *
 * <p>A request's entry stays occupied until its completion is polled, also when its queue pair was
 * closed meanwhile and nobody is told of it.
 */
public final class SharedReceiveQueue implements AutoCloseable {
  private final ProtectionDomain domain;
  private final Teardown teardown = new Teardown();

  /** Keeps the entries reachable, as the ring knows their address only. */
  private final QueueMemory memory;

  private final HcaObject object;
  private final SharedReceiveRing ring;
  private final Lifetime lifetime;
  private volatile Runnable limitHandler = SharedReceiveQueue::ignore;

  SharedReceiveQueue(ProtectionDomain domain, SharedReceiveShape shape) {
    this.domain = domain;
    Device device = domain.device();
    try {
      memory = QueueMemory.allocate(device.hca(), shape.bytes(), teardown);
      DoorbellRecordPool.Record record = device.records().take();
      teardown.add(() -> device.records().give(record));
      object =
          device.hca().create(SharedReceiveCommands.create(domain.number(), memory, record, shape));
      lifetime = new Lifetime("SRQ 0x%x".formatted(object.number()));
      ring =
          new SharedReceiveRing(
              new SharedReceiveRingLayout(
                  memory.address(),
                  shape.logEntries(),
                  shape.logStride(),
                  record.address(),
                  lifetime.name()));
      teardown.add(ring::close);
      teardown.add(object::close);
      teardown.add(device.watchReceives(object, () -> limitHandler.run()));
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  private static void ignore() {}

  /**
   * Starts a receive request: memory for one message to any of the queue pairs.
   *
   * @throws IllegalStateException when the queue is full, another request is half built, or the
   *     queue is closed
   */
  public ReceiveLanding receive() {
    return ring.receive();
  }

  /**
   * Makes the device see all requests that were posted.
   *
   * @throws IllegalStateException when a request is half built
   */
  public void ringDoorbell() {
    ring.ringDoorbell();
  }

  /**
   * Drops the request that is half built, if there is one: after a failure between two stages.
   *
   * @return whether there was one
   */
  public boolean dropUnfinished() {
    return ring.dropUnfinished();
  }

  /**
   * Requests that can be posted, as far as the posting thread knows: the count may be old, and is
   * then too low. Costs one load. A request can be posted as long as either count is positive.
   */
  public int freeReceives() {
    return ring.freeRequests();
  }

  /**
   * Requests that can be posted now: takes all entries that completions released. Costs some time
   * for each of them, and spares it later.
   */
  public int exactFreeReceives() {
    return ring.exactFreeRequests();
  }

  /** Most requests that can be outstanding. */
  public int requests() {
    return ring.requests();
  }

  /** Most scatter entries of a request. */
  public int maxScatter() {
    return ring.maxScatter();
  }

  /**
   * Asks to be told once when fewer requests are outstanding than a limit: by an event of type
   * {@link AsyncEvent.Type#RECEIVE_LIMIT}, and by a handler. When fewer are outstanding already,
   * the event comes at once or with the next message, as the device has it. Arming again replaces
   * the limit and the handler.
   *
   * @param limit 1 … {@link #requests}; 0 for no event
   * @param handler called once for each event, in {@link Device#pollEvent} or {@link
   *     Device#awaitEvent} on the thread that takes it; it may arm again
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public synchronized void arm(int limit, Runnable handler) {
    lifetime.requireOpen();
    Ranges.require("limit", limit, 0, requests());
    limitHandler = handler;
    byte[] unused = object.modify(SharedReceiveCommands.limit(object.number(), limit));
  }

  /** Asks for an event without a handler, as {@link #arm(int, Runnable)}. */
  public void arm(int limit) {
    arm(limit, SharedReceiveQueue::ignore);
  }

  /** Number of the queue, 24 bits. */
  public int number() {
    return object.number();
  }

  /**
   * Destroys the queue. Idempotent.
   *
   * @throws IllegalStateException when queue pairs still receive from it
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      domain.lifetime().removeUser(this);
      domain.device().remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }

  /** This queue, as queue pairs receive from it. */
  SharedReceives shared() {
    return new SharedReceives(domain.device(), object.number(), lifetime, ring);
  }

  SharedReceiveRing ring() {
    return ring;
  }
}
