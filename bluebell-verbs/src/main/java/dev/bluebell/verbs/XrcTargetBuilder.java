package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import java.util.EnumSet;
import java.util.Set;

/** Describes a target of extended reliable connections to be created. Not thread-safe. */
public final class XrcTargetBuilder {
  private final XrcDomain domain;
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int port = 1;
  private int gidIndex;
  private int pkeyIndex;
  private int responderResources = 16;

  XrcTargetBuilder(XrcDomain domain) {
    this.domain = domain;
  }

  /**
   * Sets the rights of the initiator. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  public XrcTargetBuilder access(Access... rights) {
    access = Access.setOf(rights);
    return this;
  }

  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  public XrcTargetBuilder port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return this;
  }

  /**
   * Sets the entry of the port's GID table that is the target's address. Default 0.
   *
   * @param index 0 … 255
   */
  public XrcTargetBuilder gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return this;
  }

  /**
   * Sets the entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  public XrcTargetBuilder pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return this;
  }

  /**
   * Sets how many READs and atomics of the initiator are served at a time. The device may limit it.
   * Default 16.
   *
   * @param count 1 … 128
   */
  public XrcTargetBuilder responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
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
    ConnectionSettings settings =
        new ConnectionSettings(
            ServiceType.XRC,
            access,
            port,
            gidIndex,
            pkeyIndex,
            Math.min(responderResources, device.attributes().maxResponderResources()),
            ConnectionSettings.RANDOM_PSN);
    return device.add(new XrcTarget(domain, settings));
  }
}
