package dev.bluebell.verbs.dynamic;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;
import java.util.Objects;

/** Implements {@link DcTarget}. */
public final class DcTargetImpl implements DcTarget {
  private final DcTargetBuilderImpl plan;
  private final DeviceContext device;
  private final DcEndpoint endpoint;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  /** Creates a target; the objects that it uses must be open and belong to one device. */
  public DcTargetImpl(DcTargetBuilderImpl plan, LocalAddress address) {
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
      device.watchTarget(object);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /** The objects that must outlive the target. */
  public List<Lifetime> used() {
    return List.of(plan.domain.lifetime(), plan.completions.lifetime(), plan.receives.lifetime());
  }

  @Override
  public DcEndpoint endpoint() {
    return endpoint;
  }

  @Override
  public int number() {
    return object.number();
  }

  @Override
  public long keyViolations() {
    lifetime.requireOpen();
    View context = DcCommands.context(object.query(DcCommands.queryTarget(number())));
    return context.get(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT);
  }

  @Override
  public void armKeyViolation() {
    lifetime.requireOpen();
    byte[] unused = object.modify(DcCommands.armTarget(number()));
  }

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
