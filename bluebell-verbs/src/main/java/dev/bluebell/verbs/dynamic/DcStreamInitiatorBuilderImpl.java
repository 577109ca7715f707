package dev.bluebell.verbs.dynamic;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcStreamInitiatorBuilder;
import dev.bluebell.verbs.command.DcStreamCounts;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.value.Ranges;
import dev.bluebell.verbs.value.Sizes;

/** Implements {@link DcStreamInitiatorBuilder}. */
public final class DcStreamInitiatorBuilderImpl extends DcBuilderImpl<DcStreamInitiatorBuilder>
    implements DcStreamInitiatorBuilder {
  private static final int MAX_STREAMS = 1 << 15;
  private final int streams;
  private int failures;

  public DcStreamInitiatorBuilderImpl(Domain domain, CompletionQueueImpl completions, int streams) {
    super(domain, completions);
    Ranges.require("streams", streams, 2, MAX_STREAMS);
    this.streams = 1 << Sizes.log2Ceiling(streams);
    failures = this.streams;
  }

  @Override
  public DcStreamInitiatorBuilder failures(int count) {
    failures = 1 << Sizes.log2Ceiling(Ranges.require("failures", count, 1, streams));
    return this;
  }

  @Override
  public DcStreamInitiator create() {
    return create(
        sendingPlan(ServiceType.DCI).withStreams(new DcStreamCounts(streams, failures)),
        (parts, address, options, report) ->
            new DcStreamInitiatorImpl(parts, address, options, streams, report));
  }
}
