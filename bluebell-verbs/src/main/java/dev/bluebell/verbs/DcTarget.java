package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;
import java.util.Objects;

/**
 * A target of dynamic connections (DCT): any initiator that knows its address and access key may
 * use it, and any number of them at a time. Messages go to the requests of a shared receive queue.
 * Completions carry its number where those of a queue pair carry the queue pair's.
 *
 * <p>Thread-safe.
 */
public final class DcTarget implements AutoCloseable {
  private final DcTargetBuilder plan;
  private final Device device;
  private final DcEndpoint endpoint;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  /** Makes a target as described, whose parts are open and of one device. */
  DcTarget(DcTargetBuilder plan, LocalAddress address) {
    this.plan = plan;
    device = plan.domain.device();
    try {
      int userIndex = device.queues().reserve();
      teardown.add(() -> device.queues().release(userIndex, plan.completions.ring()));
      int mtu = address.mtu(device);
      object = device.hca().create(DcCommands.createTarget(plan, address, userIndex, mtu));
      teardown.add(object::close);
      device
          .queues()
          .set(userIndex, WorkQueues.shared(Objects.requireNonNull(plan.receives.byQueuePair())));
      lifetime = new Lifetime("DCT 0x%x".formatted(object.number()));
      endpoint =
          new DcEndpoint(
              address.gid(device), address.lid(device), object.number(), plan.accessKey, mtu);
      for (int type : AsyncEvent.targetTypes()) {
        device.events().subscribe(object, type, 0);
      }
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /** The objects that must outlive the target. */
  List<Lifetime> used() {
    return List.of(plan.domain.lifetime(), plan.completions.lifetime(), plan.receives.lifetime());
  }

  /** Returns the address and the key that initiators need. */
  public DcEndpoint endpoint() {
    return endpoint;
  }

  /** Number of the target, 24 bits. */
  public int number() {
    return object.number();
  }

  /** Asks the device how many requests came with another access key. */
  public long keyViolations() {
    lifetime.requireOpen();
    View context = DcCommands.context(object.query(DcCommands.queryTarget(number())));
    return context.get(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT);
  }

  /** Asks for one event {@link AsyncEvent.Type#KEY_VIOLATION} when that count rises. */
  public void armKeyViolation() {
    lifetime.requireOpen();
    byte[] unused = object.modify(DcCommands.armTarget(number()));
  }

  /**
   * Ends all connections and destroys the target. What initiators have outstanding here fails at
   * their side. Idempotent.
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      used().forEach(used -> used.removeUser(this));
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
