package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetBuilder;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.pair.AddressBuilderImpl;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.value.Ranges;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Implements {@link DcTargetBuilder}. */
public final class DcTargetBuilderImpl extends AddressBuilderImpl<DcTargetBuilder>
    implements DcTargetBuilder {
  final Domain domain;
  final CompletionQueueImpl completions;
  final SharedReceives receives;
  Set<Access> access = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
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
  public DcTargetBuilder minRnrTimer(int code) {
    minRnrTimer = Ranges.require("minRnrTimer", code, 0, 31);
    return this;
  }

  @Override
  public DcTarget create() {
    domain.lifetime().requireOpen();
    domain.requireUsable(completions);
    domain.requireUsable(receives, receives.device(), receives.lifetime());
    return DeviceObject.create(
        domain.device(), () -> new DcTargetImpl(this, address(domain.device())));
  }
}
