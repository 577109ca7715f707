package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.RelaxedRcQueuePairBuilder;
import dev.bluebell.verbs.command.ConnectionSettings;

/** Implements {@link RelaxedRcQueuePairBuilder}. */
public final class RelaxedRcQueuePairBuilderImpl implements RelaxedRcQueuePairBuilder {
  private final RcQueuePairBuilderImpl description;

  public RelaxedRcQueuePairBuilderImpl(RcQueuePairBuilderImpl description) {
    this.description = description;
  }

  @Override
  public RelaxedRcQueuePair create() {
    ConnectionSettings settings = description.settings();
    return QueuePairParts.assemble(
        description.plan(ServiceType.RC).withRelaxed(),
        parts -> new RelaxedRcQueuePairImpl(parts, settings));
  }
}
