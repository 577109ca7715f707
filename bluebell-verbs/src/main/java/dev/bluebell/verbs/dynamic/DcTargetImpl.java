package dev.bluebell.verbs.dynamic;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;
import java.util.Objects;

/** Implements {@link DcTarget}. */
public final class DcTargetImpl extends DeviceObject implements DcTarget {
  private final DcEndpoint endpoint;
  private final HcaObject object;

  /** Creates a target; the objects that it uses must be open and belong to one device. */
  public DcTargetImpl(DcTargetBuilderImpl plan, LocalAddress address) {
    super(
        plan.domain.device(),
        new Teardown(),
        List.of(plan.domain.lifetime(), plan.completions.lifetime(), plan.receives.lifetime()));
    try {
      int userIndex = device.queues().reserve();
      teardown.add(() -> device.queues().release(userIndex, plan.completions.ring()));
      int mtu = address.mtu(device);
      object = device.hca().create(DcCommands.createTarget(plan, address, userIndex, mtu));
      teardown.add(object::close);
      device
          .queues()
          .set(userIndex, WorkQueues.shared(Objects.requireNonNull(plan.receives.byQueuePair())));
      endpoint =
          new DcEndpoint(
              address.gid(device), address.lid(device), object.number(), plan.accessKey, mtu);
      device.watchTarget(object);
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
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
  public String toString() {
    return "DCT 0x%x".formatted(number());
  }
}
