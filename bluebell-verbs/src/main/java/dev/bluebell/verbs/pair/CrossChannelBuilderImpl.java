package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.ManagedBuilder;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.command.CrossChannel;

/** Implements {@link CrossChannelBuilder}. */
public final class CrossChannelBuilderImpl implements CrossChannelBuilder {
  private final RcQueuePairBuilderImpl description;
  private boolean managedReceives;

  public CrossChannelBuilderImpl(RcQueuePairBuilderImpl description) {
    this.description = description;
  }

  @Override
  public CrossChannelBuilder managedReceives() {
    managedReceives = true;
    return this;
  }

  @Override
  public ManagedBuilder managedSends() {
    return () -> create(true, ManagedQueuePairImpl::new);
  }

  @Override
  public MasterQueuePair create() {
    return create(false, MasterQueuePairImpl::new);
  }

  private <Q extends CrossChannelQueuePairImpl> Q create(
      boolean managedSends, RcQueuePairBuilderImpl.Kind<Q> kind) {
    CrossChannel channel = new CrossChannel(true, managedSends, managedReceives);
    return description.create(description.plan(ServiceType.RC).withChannel(channel), kind);
  }
}
