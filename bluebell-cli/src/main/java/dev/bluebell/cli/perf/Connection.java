package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;

/** Two queue pairs of one device, connected to each other. */
record Connection(RcQueuePair left, RcQueuePair right) {
  private static final int MAX_RECEIVES = 1 << 15;

  /**
   * Creates and connects both.
   *
   * @param receiving whether messages need receive requests
   */
  static Connection create(
      ProtectionDomain domain,
      CompletionQueue requests,
      CompletionQueue receives,
      PerfPlan plan,
      boolean receiving) {
    RcQueuePair left = builder(domain, requests, receives, plan, receiving).create();
    RcQueuePair right = builder(domain, requests, receives, plan, receiving).create();
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    return new Connection(left, right);
  }

  private static RcQueuePairBuilder builder(
      ProtectionDomain domain,
      CompletionQueue requests,
      CompletionQueue receives,
      PerfPlan plan,
      boolean receiving) {
    RcQueuePairBuilder builder =
        domain
            .rcQueuePair(requests)
            .receiveCompletions(receives)
            .sendQueue(plan.depth())
            .receiveQueue(receiving ? Math.min(MAX_RECEIVES, 2 * plan.depth()) : 0);
    return plan.inline() ? builder.maxInline(plan.size()) : builder;
  }
}
