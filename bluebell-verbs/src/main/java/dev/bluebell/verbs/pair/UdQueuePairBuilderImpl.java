package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;

/** Implements {@link UdQueuePairBuilder}. */
public final class UdQueuePairBuilderImpl extends ReceivingQueuePairBuilderImpl<UdQueuePairBuilder>
    implements UdQueuePairBuilder {
  /** The key that perftest and the examples of rdma-core use. */
  private static final int DEFAULT_QUEUE_KEY = 0x11111111;

  private int queueKey = DEFAULT_QUEUE_KEY;

  public UdQueuePairBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  @Override
  public UdQueuePairBuilder queueKey(int key) {
    queueKey = key;
    return this;
  }

  @Override
  public UdQueuePair create() {
    LocalAddress address = address();
    return QueuePairParts.assemble(
        plan(ServiceType.UD), parts -> new UdQueuePairImpl(parts, address, queueKey));
  }
}
