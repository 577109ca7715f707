package dev.bluebell.verbs.dynamic;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcInitiatorBuilder;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.QueuePairBuilderImpl;
import dev.bluebell.verbs.pair.QueuePairParts;

/** Implements {@link DcInitiatorBuilder}. */
public final class DcInitiatorBuilderImpl extends QueuePairBuilderImpl<DcInitiatorBuilder>
    implements DcInitiatorBuilder {
  private boolean memoryCopies;
  private ConnectOptions options = ConnectOptions.DEFAULT;

  public DcInitiatorBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  @Override
  public DcInitiatorBuilderImpl self() {
    return this;
  }

  @Override
  public DcInitiatorBuilder options(ConnectOptions values) {
    options = values;
    return this;
  }

  @Override
  public DcInitiatorBuilder memoryCopies(boolean on) {
    memoryCopies = on;
    return this;
  }

  @Override
  public DcInitiator create() {
    DcSettings settings = new DcSettings(address(), options);
    CopyReport report = CopyReport.of(domain, memoryCopies);
    return report.with(
        () ->
            QueuePairParts.assemble(
                sendingPlan(ServiceType.DCI),
                parts -> new DcInitiatorImpl(parts, settings, report)));
  }
}
