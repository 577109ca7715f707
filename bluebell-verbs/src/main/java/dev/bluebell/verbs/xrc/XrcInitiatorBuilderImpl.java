package dev.bluebell.verbs.xrc;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcInitiatorBuilder;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.pair.QueuePairBuilderImpl;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.value.Ranges;
import java.util.Set;

/** Implements {@link XrcInitiatorBuilder}. */
public final class XrcInitiatorBuilderImpl extends QueuePairBuilderImpl<XrcInitiatorBuilder>
    implements XrcInitiatorBuilder {
  /** No peer sends requests to an initiator, but its context requires room for at least one. */
  private static final int RESPONDER_RESOURCES = 1;

  private int initialPsn = ConnectionSettings.RANDOM_PSN;

  public XrcInitiatorBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  @Override
  public XrcInitiatorBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  @Override
  public XrcInitiator create() {
    ConnectionSettings settings =
        new ConnectionSettings(
            ServiceType.XRC, Set.of(), address(), RESPONDER_RESOURCES, initialPsn);
    return QueuePairParts.assemble(
        sendingPlan(ServiceType.XRC), parts -> new XrcInitiatorImpl(parts, settings));
  }
}
