package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetBuilder;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.GidTable;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.value.Ranges;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Implements {@link DcTargetBuilder}. */
public final class DcTargetBuilderImpl implements DcTargetBuilder {
  final Domain domain;
  final CompletionQueueImpl completions;
  final SharedReceives receives;
  Set<Access> access = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int port = 1;
  private int gidIndex = GidTable.USUAL;
  private int pkeyIndex;
  private int pathBits;
  int minRnrTimer = ConnectOptions.DEFAULT.minRnrTimer();
  long accessKey = ThreadLocalRandom.current().nextLong();

  public DcTargetBuilderImpl(
      Domain domain, CompletionQueueImpl completions, SharedReceives receives) {
    this.domain = domain;
    this.completions = completions;
    this.receives = receives;
  }

  @Override
  public DcTargetBuilder accessKey(long key) {
    accessKey = key;
    return this;
  }

  @Override
  public DcTargetBuilder access(Access... rights) {
    access = AccessSets.of(rights);
    return this;
  }

  @Override
  public DcTargetBuilder port(int number) {
    port = Ranges.require("port", number, 1, 255);
    return this;
  }

  @Override
  public DcTargetBuilder gidIndex(int index) {
    gidIndex = Ranges.require("gidIndex", index, 0, 255);
    return this;
  }

  @Override
  public DcTargetBuilder pathBits(int bits) {
    pathBits = Ranges.require("pathBits", bits, 0, 127);
    return this;
  }

  @Override
  public DcTargetBuilder pkeyIndex(int index) {
    pkeyIndex = Ranges.require("pkeyIndex", index, 0, 65535);
    return this;
  }

  @Override
  public DcTargetBuilder minRnrTimer(int code) {
    minRnrTimer = Ranges.require("minRnrTimer", code, 0, 31);
    return this;
  }

  @Override
  public DcTarget create() {
    domain.lifetime().requireOpen();
    domain.requireUsable(completions, completions.device(), completions.lifetime());
    domain.requireUsable(receives, receives.device(), receives.lifetime());
    LocalAddress address = LocalAddress.of(domain.device(), port, gidIndex, pkeyIndex, pathBits);
    DcTargetImpl target = new DcTargetImpl(this, address);
    try {
      target.used().forEach(used -> used.addUser(target));
      completions.admit(target);
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
    return domain.device().add(target, target::close);
  }
}
