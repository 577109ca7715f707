package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.TargetBuilder;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.GidTable;
import dev.bluebell.verbs.value.Ranges;
import java.util.EnumSet;
import java.util.Set;

/** Implements {@link TargetBuilder}. */
public abstract class TargetBuilderImpl<B extends TargetBuilder<B>> implements TargetBuilder<B> {
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

  private int port = 1;
  private int gidIndex = GidTable.USUAL;
  private int pkeyIndex;
  private int pathBits;
  private int responderResources = 16;

  /** Returns this builder, by its own type. */
  public abstract B self();

  @Override
  public B access(Access... rights) {
    access = AccessSets.of(rights);
    return self();
  }

  @Override
  public B port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return self();
  }

  @Override
  public B gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return self();
  }

  @Override
  public B pathBits(int bits) {
    pathBits = Ranges.require("pathBits", bits, 0, 127);
    return self();
  }

  @Override
  public B pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return self();
  }

  @Override
  public B responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
    return self();
  }

  /** What the connection needs to know. */
  public final ConnectionSettings settings(ServiceType service, DeviceContext device) {
    return new ConnectionSettings(
        service,
        access,
        LocalAddress.of(device, port, gidIndex, pkeyIndex, pathBits),
        Math.min(responderResources, device.attributes().maxResponderResources()),
        ConnectionSettings.RANDOM_PSN);
  }
}
