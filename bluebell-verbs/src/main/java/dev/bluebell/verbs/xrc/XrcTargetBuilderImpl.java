package dev.bluebell.verbs.xrc;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.XrcTarget;
import dev.bluebell.verbs.XrcTargetBuilder;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.pair.TargetBuilderImpl;

/** Implements {@link XrcTargetBuilder}. */
public final class XrcTargetBuilderImpl extends TargetBuilderImpl<XrcTargetBuilder>
    implements XrcTargetBuilder {
  private final XrcDomainImpl domain;

  public XrcTargetBuilderImpl(XrcDomainImpl domain) {
    this.domain = domain;
  }

  @Override
  public XrcTarget create() {
    domain.lifetime().requireOpen();
    DeviceContext device = domain.device();
    return DeviceObject.create(
        device, () -> new XrcTargetImpl(domain, settings(ServiceType.XRC, device)));
  }
}
