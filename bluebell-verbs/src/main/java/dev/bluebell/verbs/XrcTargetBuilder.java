package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/** Describes a target of extended reliable connections to be created. Not thread-safe. */
public final class XrcTargetBuilder extends TargetBuilder<XrcTargetBuilder> {
  private final XrcDomain domain;

  XrcTargetBuilder(XrcDomain domain) {
    this.domain = domain;
  }

  @Override
  XrcTargetBuilder self() {
    return this;
  }

  /**
   * Creates the target and moves it to the INIT state.
   *
   * @throws IllegalStateException when the domain is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public XrcTarget create() {
    domain.lifetime().requireOpen();
    Device device = domain.device();
    XrcTarget target = new XrcTarget(domain, settings(ServiceType.XRC, device));
    target.useObjects();
    return device.add(target);
  }
}
