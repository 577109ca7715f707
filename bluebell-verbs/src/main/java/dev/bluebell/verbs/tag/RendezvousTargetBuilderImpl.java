package dev.bluebell.verbs.tag;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.RendezvousTarget;
import dev.bluebell.verbs.RendezvousTargetBuilder;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.pair.TargetBuilderImpl;

/** Implements {@link RendezvousTargetBuilder}. */
public final class RendezvousTargetBuilderImpl extends TargetBuilderImpl<RendezvousTargetBuilder>
    implements RendezvousTargetBuilder {
  private final TagMatchingReceiveQueueImpl receives;

  public RendezvousTargetBuilderImpl(TagMatchingReceiveQueueImpl receives) {
    this.receives = receives;
  }

  @Override
  public RendezvousTarget create() {
    receives.lifetime().requireOpen();
    DeviceContext device = receives.device();
    return DeviceObject.create(
        device, () -> RendezvousTargetImpl.create(receives, settings(ServiceType.RC, device)));
  }
}
