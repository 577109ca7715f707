package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ReceivingQueuePairBuilder;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.receive.SharedSource;
import dev.bluebell.verbs.value.Ranges;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Implements {@link ReceivingQueuePairBuilder}. */
public abstract class ReceivingQueuePairBuilderImpl<B extends ReceivingQueuePairBuilder<B>>
    extends QueuePairBuilderImpl<B> implements ReceivingQueuePairBuilder<B> {
  private static final int MAX_SCATTER = 128;
  private CompletionQueueImpl receiveCompletions;
  private int receiveRequests = 64;
  private int maxScatter = 1;
  private @Nullable SharedReceives sharedReceives;

  public ReceivingQueuePairBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
    receiveCompletions = completions;
  }

  @Override
  public B receiveQueue(int requests) {
    receiveRequests = Ranges.require("receiveQueue", requests, 0, MAX_REQUESTS);
    return self();
  }

  @Override
  public B maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, MAX_SCATTER);
    return self();
  }

  @Override
  public B receiveFrom(SharedReceiveQueue receives) {
    return receiveFrom(SharedSource.of(receives));
  }

  /** Lets the queue pair receive from a shared queue. */
  public final B receiveFrom(SharedReceives receives) {
    sharedReceives = receives;
    return self();
  }

  @Override
  public B receiveCompletions(CompletionQueue completions) {
    receiveCompletions =
        (CompletionQueueImpl) Objects.requireNonNull(completions, "the completion queue is null");
    return self();
  }

  @Override
  public B inlineReceive(int bytes) {
    receivesInCqe = requireInCqe("inlineReceive", bytes);
    return self();
  }

  @Override
  public B signatures(boolean on) {
    if (on && !domain.device().attributes().signatures()) {
      throw new IllegalStateException(
          domain.device() + " does not check signatures of requests (wq_signature)");
    }
    signatures = on;
    return self();
  }

  /** Returns the plan of the queue pair. */
  public final QueuePairPlan plan(ServiceType service) {
    return plan(
        service,
        sharedReceives == null ? receiveRequests : 0,
        maxScatter,
        receiveCompletions,
        sharedReceives);
  }
}
