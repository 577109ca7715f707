package dev.bluebell.verbs.xrc;

import dev.bluebell.verbs.XrcTarget;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.pair.TargetQueuePairImpl;
import java.util.List;

/** Implements {@link XrcTarget}. */
public final class XrcTargetImpl extends TargetQueuePairImpl implements XrcTarget {
  /** Creates a target and moves it to INIT. */
  public XrcTargetImpl(XrcDomainImpl domain, ConnectionSettings settings) {
    super(
        domain.device(),
        settings,
        domain.createTarget(),
        new Teardown(),
        List.of(domain.lifetime()));
  }
}
