package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UcQueuePairBuilder;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.value.Ranges;
import java.util.EnumSet;
import java.util.Set;

/** Implements {@link UcQueuePairBuilder}. */
public final class UcQueuePairBuilderImpl extends ReceivingQueuePairBuilderImpl<UcQueuePairBuilder>
    implements UcQueuePairBuilder {
  private Set<Access> access = EnumSet.of(Access.REMOTE_WRITE);
  private int initialPsn = ConnectionSettings.RANDOM_PSN;

  public UcQueuePairBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  @Override
  public UcQueuePairBuilder access(Access... rights) {
    access = AccessSets.of(rights);
    return this;
  }

  @Override
  public UcQueuePairBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  @Override
  public UcQueuePair create() {
    ConnectionSettings settings =
        new ConnectionSettings(ServiceType.UC, access, address(), 0, initialPsn);
    return QueuePairParts.assemble(
        plan(ServiceType.UC), parts -> new UcQueuePairImpl(parts, settings));
  }
}
