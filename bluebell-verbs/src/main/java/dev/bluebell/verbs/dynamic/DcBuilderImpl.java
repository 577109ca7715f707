package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairBuilder;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.QueuePairBuilderImpl;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.pair.QueuePairPlan;

/** The builder of a DC initiator, with or without streams. */
abstract class DcBuilderImpl<B extends QueuePairBuilder<B>> extends QueuePairBuilderImpl<B> {
  private boolean memoryCopies;
  private ConnectOptions options = ConnectOptions.DEFAULT;

  DcBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  public final B options(ConnectOptions values) {
    options = values;
    return self();
  }

  public final B memoryCopies(boolean on) {
    memoryCopies = on;
    return self();
  }

  /** Creates a queue pair from its parts. */
  @FunctionalInterface
  interface Kind<Q extends DcQueuePairImpl> {
    Q of(QueuePairParts parts, LocalAddress address, ConnectOptions options, CopyReport report);
  }

  final <Q extends DcQueuePairImpl> Q create(QueuePairPlan plan, Kind<Q> kind) {
    LocalAddress address = address();
    CopyReport report = CopyReport.of(domain, memoryCopies);
    return report.with(
        () -> QueuePairParts.assemble(plan, parts -> kind.of(parts, address, options, report)));
  }
}
