package dev.bluebell.verbs.receive;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.command.ReceiveEntries;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.value.Ranges;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A receive queue on the device whose entries are a linked list, for several queue pairs: what all
 * kinds of shared receive queues have in common.
 */
public abstract class LinkedReceives extends DeviceObject {
  private final Kind kind;

  private final ReceiveEntries entries;

  private final HcaObject object;
  private final SharedReceiveRing ring;
  private volatile Runnable limitHandler = () -> {};

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
  public LinkedReceives(
      Domain domain, SharedReceiveShape shape, Kind kind, List<Lifetime> used, Teardown teardown) {
    super(domain.device(), teardown, used);
    this.kind = kind;
    try {
      entries = ReceiveEntries.allocate(domain, shape, teardown);
      object = device.hca().create(kind.create().apply(entries));
      teardown.add(object::close);
      ring = entries.ring(lifetime.name());
      teardown.addAfterLatest(ring::close);
      teardown.addAfterLatest(device.watchReceives(object, () -> limitHandler.run()));
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
  }

  public int freeReceives() {
    return ring.freeRequests();
  }

  public int exactFreeReceives() {
    return ring.exactFreeRequests();
  }

  public int requests() {
    return ring.requests();
  }

  public synchronized void arm(int limit, Runnable handler) {
    lifetime.requireOpen();
    Ranges.require("limit", limit, 0, requests());
    limitHandler = handler;
    byte[] unused = object.modify(kind.limit().apply(object.number(), limit));
  }

  public int number() {
    return object.number();
  }

  @Override
  public String toString() {
    return "%s 0x%x".formatted(kind.name(), number());
  }

  public SharedReceiveRing ring() {
    return ring;
  }
}
