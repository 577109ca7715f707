package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.TargetBuilder;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.value.Ranges;
import java.util.EnumSet;
import java.util.Set;

/** Implements {@link TargetBuilder}. */
public abstract class TargetBuilderImpl<B extends TargetBuilder<B>> extends AddressBuilderImpl<B>
    implements TargetBuilder<B> {
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int responderResources = 16;

  @Override
  public B access(Access... rights) {
    access = AccessSets.of(rights);
    return self();
  }

  @Override
  public B responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
    return self();
  }

  /** The settings of the connection. */
  public final ConnectionSettings settings(ServiceType service, DeviceContext device) {
    return new ConnectionSettings(
        service,
        access,
        address(device),
        Math.min(responderResources, device.attributes().maxResponderResources()),
        ConnectionSettings.RANDOM_PSN);
  }
}
