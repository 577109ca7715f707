package dev.bluebell.verbs.receive;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.LinkedReceiveQueue;
import dev.bluebell.verbs.command.ReceiveEntries;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.value.Ranges;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Implements {@link LinkedReceiveQueue}. */
public abstract class LinkedReceiveQueueImpl implements LinkedReceiveQueue {
  private final DeviceContext device;
  private final Kind kind;
  private final List<Lifetime> used;
  private final Teardown teardown;

  /** Keeps the entries reachable: the ring has only their address. */
  private final ReceiveEntries entries;

  private final HcaObject object;
  private final SharedReceiveRing ring;
  private final Lifetime lifetime;
  private volatile Runnable limitHandler = LinkedReceiveQueueImpl::ignore;

  /**
   * The commands and the name by which the kinds of such queues differ.
   *
   * @param name how messages name a queue of this kind, before its number
   * @param create the command that creates a queue
   * @param limit the command that sets the limit of a queue with a number; 0 for none
   */
  public record Kind(
      String name,
      Function<ReceiveEntries, byte[]> create,
      BiFunction<Integer, Integer, byte[]> limit) {}

  /**
   * Makes a queue.
   *
   * @param used the objects that must outlive it
   * @param teardown the steps registered so far; also run when this call fails
   */
  public LinkedReceiveQueueImpl(
      Domain domain, SharedReceiveShape shape, Kind kind, List<Lifetime> used, Teardown teardown) {
    device = domain.device();
    this.kind = kind;
    this.used = used;
    this.teardown = teardown;
    try {
      entries = ReceiveEntries.allocate(domain, shape, teardown);
      object = device.hca().create(kind.create().apply(entries));
      lifetime = new Lifetime("%s 0x%x".formatted(kind.name(), object.number()));
      ring = entries.ring(lifetime.name());
      teardown.add(ring::close);
      teardown.add(object::close);
      teardown.add(device.watchReceives(object, () -> limitHandler.run()));
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /**
   * Registers a queue with the objects that it uses and with its device; closes it if that fails.
   */
  public static <Q extends LinkedReceiveQueueImpl> Q add(Q queue) {
    LinkedReceiveQueueImpl base = queue;
    try {
      base.used.forEach(part -> part.addUser(queue));
    } catch (IllegalStateException e) {
      queue.close();
      throw e;
    }
    return base.device.add(queue, queue::close);
  }

  private static void ignore() {}

  @Override
  public void ringDoorbell() {
    ring.ringDoorbell();
  }

  @Override
  public void handOver() {
    ring.handOver();
  }

  @Override
  public int freeReceives() {
    return ring.freeRequests();
  }

  @Override
  public int exactFreeReceives() {
    return ring.exactFreeRequests();
  }

  @Override
  public int requests() {
    return ring.requests();
  }

  @Override
  public synchronized void arm(int limit, Runnable handler) {
    lifetime.requireOpen();
    Ranges.require("limit", limit, 0, requests());
    limitHandler = handler;
    byte[] unused = object.modify(kind.limit().apply(object.number(), limit));
  }

  @Override
  public void arm(int limit) {
    arm(limit, LinkedReceiveQueueImpl::ignore);
  }

  @Override
  public int number() {
    return object.number();
  }

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

  public DeviceContext device() {
    return device;
  }

  public Lifetime lifetime() {
    return lifetime;
  }

  public SharedReceiveRing ring() {
    return ring;
  }
}
