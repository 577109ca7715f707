package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.ManagedBuilder;
import dev.bluebell.verbs.ManagedQueuePair;

/** Implements {@link ManagedBuilder}. */
public final class ManagedBuilderImpl implements ManagedBuilder {
  private final CrossChannelBuilderImpl description;

  public ManagedBuilderImpl(CrossChannelBuilderImpl description) {
    this.description = description;
  }

  @Override
  public ManagedQueuePair create() {
    return description.create(true, ManagedQueuePairImpl::new);
  }
}
