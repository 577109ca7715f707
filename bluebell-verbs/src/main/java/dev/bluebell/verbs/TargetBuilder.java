package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import java.util.EnumSet;
import java.util.Set;

/**
 * Describes the end of a connection that only receives.
 *
 * @param <B> the builder itself
 */
abstract class TargetBuilder<B extends TargetBuilder<B>> {
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int port = 1;
  private int gidIndex = GidTable.USUAL;
  private int pkeyIndex;
  private int pathBits;
  private int responderResources = 16;

  /** Returns this builder, by its own type. */
  abstract B self();

  /**
   * Sets the rights of the peer. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  public B access(Access... rights) {
    access = Access.setOf(rights);
    return self();
  }

  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  public B port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return self();
  }

  /**
   * Sets the entry of the port's GID table that is the target's address. Default: 0 on InfiniBand,
   * the port's own GID; on Ethernet that of IPv4 over RoCE v2, usually 3, or the first one of RoCE
   * v2.
   *
   * @param index 0 … 255
   */
  public B gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return self();
  }

  /**
   * InfiniBand: sets which of the port's 2<sup>LMC</sup> LIDs is the target's address: the low bits
   * of the LID. Packets leave from it, and the endpoint names it. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  public B pathBits(int bits) {
    pathBits = Ranges.require("pathBits", bits, 0, 127);
    return self();
  }

  /**
   * Sets the entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  public B pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return self();
  }

  /**
   * Sets how many READs and atomics of the peer are served at a time. The device may limit it.
   * Default 16.
   *
   * @param count 1 … 128
   */
  public B responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
    return self();
  }

  /** What the connection needs to know. */
  final ConnectionSettings settings(ServiceType service, Device device) {
    return new ConnectionSettings(
        service,
        access,
        LocalAddress.of(device, port, gidIndex, pkeyIndex, pathBits),
        Math.min(responderResources, device.attributes().maxResponderResources()),
        ConnectionSettings.RANDOM_PSN);
  }
}
