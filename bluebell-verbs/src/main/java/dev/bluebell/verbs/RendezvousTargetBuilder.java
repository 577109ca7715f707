package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/** Describes a {@link RendezvousTarget} to be created. Not thread-safe. */
public final class RendezvousTargetBuilder extends TargetBuilder<RendezvousTargetBuilder> {
  private final TagMatchingReceiveQueue receives;

  RendezvousTargetBuilder(TagMatchingReceiveQueue receives) {
    this.receives = receives;
  }

  @Override
  RendezvousTargetBuilder self() {
    return this;
  }

  /**
   * Creates the target and moves it to the INIT state.
   *
   * @throws IllegalStateException when the queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public RendezvousTarget create() {
    receives.lifetime().requireOpen();
    Device device = receives.device();
    RendezvousTarget target = RendezvousTarget.create(receives, settings(ServiceType.RC, device));
    target.useObjects();
    return device.add(target);
  }
}
