package dev.bluebell.verbs.dynamic;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcInitiatorBuilder;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;

/** Implements {@link DcInitiatorBuilder}. */
public final class DcInitiatorBuilderImpl extends DcBuilderImpl<DcInitiatorBuilder>
    implements DcInitiatorBuilder {
  public DcInitiatorBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  @Override
  public DcInitiator create() {
    return create(sendingPlan(ServiceType.DCI), DcInitiatorImpl::new);
  }
}
