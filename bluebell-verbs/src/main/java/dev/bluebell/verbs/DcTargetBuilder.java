package dev.bluebell.verbs;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Describes a target of dynamic connections to be created. Not thread-safe. */
public final class DcTargetBuilder {
  final ProtectionDomain domain;
  final CompletionQueue completions;
  final SharedReceives receives;
  Set<Access> access = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int port = 1;
  private int gidIndex = GidTable.USUAL;
  private int pkeyIndex;
  private int pathBits;
  int minRnrTimer = ConnectOptions.DEFAULT.minRnrTimer();
  long accessKey = ThreadLocalRandom.current().nextLong();

  DcTargetBuilder(ProtectionDomain domain, CompletionQueue completions, SharedReceives receives) {
    this.domain = domain;
    this.completions = completions;
    this.receives = receives;
  }

  /** Sets the key that requests must carry. Default: a random number. */
  public DcTargetBuilder accessKey(long key) {
    accessKey = key;
    return this;
  }

  /**
   * Sets the rights of initiators. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  public DcTargetBuilder access(Access... rights) {
    access = Access.setOf(rights);
    return this;
  }

  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  public DcTargetBuilder port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return this;
  }

  /**
   * Sets the entry of the port's GID table that is the target's address. Default: 0 on InfiniBand,
   * the port's own GID; on Ethernet that of IPv4 over RoCE v2, usually 3, or the first one of RoCE
   * v2.
   *
   * @param index 0 … 255
   */
  public DcTargetBuilder gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return this;
  }

  /**
   * InfiniBand: sets which of the port's 2<sup>LMC</sup> LIDs is the target's address: the low bits
   * of the LID. Answers leave from where a request went to, so this is only what the endpoint
   * names. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  public DcTargetBuilder pathBits(int bits) {
    pathBits = Ranges.require("pathBits", bits, 0, 127);
    return this;
  }

  /**
   * Sets the entry of the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  public DcTargetBuilder pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return this;
  }

  /**
   * Sets how long initiators wait when the shared receive queue is empty.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   */
  public DcTargetBuilder minRnrTimer(int code) {
    minRnrTimer = Ranges.require("minRnrTimer", code, 0, 31);
    return this;
  }

  /**
   * Creates the target.
   *
   * @throws IllegalArgumentException when the parts belong to several devices
   * @throws IllegalStateException when one of them is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public DcTarget create() {
    domain.lifetime().requireOpen();
    domain.requireUsable(completions, completions.device(), completions.lifetime());
    domain.requireUsable(receives, receives.device(), receives.lifetime());
    LocalAddress address = LocalAddress.of(domain.device(), port, gidIndex, pkeyIndex, pathBits);
    DcTarget target = new DcTarget(this, address);
    try {
      target.used().forEach(used -> used.addUser(target));
      completions.admit(target);
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
    return domain.device().add(target);
  }
}
