package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import java.util.List;

/**
 * A receive queue that is an object of its own, and so nobody's alone: a list of requests. A
 * subclass says whose messages take them. Mirrors {@code verbs.h: ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Completions of its requests may
 * be polled by any number of threads, and give the entries back in whatever order they are polled.
 * Arming and closing are thread-safe.
 */
abstract class LinkedReceiveQueue implements AutoCloseable {
  private final Device device;
  private final Kind kind;
  private final List<Lifetime> used;
  private final Teardown teardown;

  /** Keeps the entries reachable, as the ring knows their address only. */
  private final QueueMemory memory;

  private final HcaObject object;
  private final SharedReceiveRing ring;
  private final Lifetime lifetime;
  private volatile Runnable limitHandler = LinkedReceiveQueue::ignore;

  /** What differs on the device between the kinds of such queues. */
  interface Kind {

    /** How messages name a queue of this kind, before its number. */
    String name();

    /** The command that creates a queue. */
    byte[] create(QueueMemory memory, DoorbellRecordPool.Record record);

    /** The command that sets a limit; 0 for none. */
    byte[] limit(int number, int limit);
  }

  /**
   * Makes a queue.
   *
   * @param used the objects that must outlive it
   * @param teardown what ends with it already, which is taken also when this fails
   */
  LinkedReceiveQueue(
      Device device, SharedReceiveShape shape, Kind kind, List<Lifetime> used, Teardown teardown) {
    this.device = device;
    this.kind = kind;
    this.used = used;
    this.teardown = teardown;
    try {
      memory = QueueMemory.allocate(device.hca(), shape.bytes(), teardown);
      DoorbellRecordPool.Record record = device.records().take();
      teardown.add(() -> device.records().give(record));
      object = device.hca().create(kind.create(memory, record));
      lifetime = new Lifetime("%s 0x%x".formatted(kind.name(), object.number()));
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

  /** Makes a queue known to what it uses and to its device; when that fails, it ends. */
  static <Q extends LinkedReceiveQueue> Q add(Q queue) {
    LinkedReceiveQueue base = queue;
    try {
      base.used.forEach(part -> part.addUser(queue));
    } catch (IllegalStateException e) {
      queue.close();
      throw e;
    }
    return base.device.add(queue);
  }

  private static void ignore() {}

  /**
   * Makes the device see all requests that were posted.
   *
   * @throws ClosedException when the queue is closed
   * @throws NotOwnerException when another thread posts
   * @throws IllegalStateException when a request is half built
   */
  public void ringDoorbell() {
    ring.ringDoorbell();
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
    byte[] unused = object.modify(kind.limit(object.number(), limit));
  }

  /** Asks for an event without a handler, as {@link #arm(int, Runnable)}. */
  public void arm(int limit) {
    arm(limit, LinkedReceiveQueue::ignore);
  }

  /** Number of the queue, 24 bits. */
  public int number() {
    return object.number();
  }

  /**
   * Destroys the queue. Idempotent.
   *
   * @throws IllegalStateException when something that was made for this queue alone still uses it
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      used.forEach(part -> part.removeUser(this));
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }

  Device device() {
    return device;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  SharedReceiveRing ring() {
    return ring;
  }
}
