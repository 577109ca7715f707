package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import org.jspecify.annotations.Nullable;

/**
 * Describes the receive queue of a queue pair.
 *
 * @param <B> the builder itself
 */
abstract class ReceivingQueuePairBuilder<B extends ReceivingQueuePairBuilder<B>>
    extends QueuePairBuilder<B> {
  private static final int MAX_SCATTER = 128;

  private CompletionQueue receiveCompletions;
  private int receiveRequests = 64;
  private int maxScatter = 1;
  private @Nullable SharedReceives sharedReceives;

  ReceivingQueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    super(domain, completions);
    receiveCompletions = completions;
  }

  /**
   * Sets the size of the receive queue, which is rounded up to a power of two. Default 64. With 0,
   * the queue pair has none.
   *
   * @param requests 0 … 32768
   */
  public B receiveQueue(int requests) {
    receiveRequests = Ranges.require("receiveQueue", requests, 0, MAX_REQUESTS);
    return self();
  }

  /**
   * Sets how many scatter entries a receive request may have, rounded up to a power of two. Default
   * 1.
   *
   * @param entries 1 … 128
   */
  public B maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, MAX_SCATTER);
    return self();
  }

  /**
   * Lets the queue pair receive into the requests of a shared receive queue instead of a queue of
   * its own. Their completions come to this queue pair's completion queue for receives.
   */
  public B receiveFrom(SharedReceiveQueue receives) {
    return receiveFrom(receives.shared());
  }

  /** Lets the queue pair receive from what many share. */
  final B receiveFrom(SharedReceives receives) {
    sharedReceives = receives;
    return self();
  }

  /** Sets where receive requests complete. Default: where all others do. */
  public B receiveCompletions(CompletionQueue completions) {
    receiveCompletions = completions;
    return self();
  }

  /**
   * Lets the device put messages of so few bytes into their completions: one write less for it. The
   * poll copies them to the scatter entries, so that a program sees no difference. Default 0.
   *
   * @param bytes 0, 32, or 64, which needs a completion queue with entries of 128 bytes. Messages
   *     to a {@link TagMatchingReceiveQueue} arrive so with 64 alone, in that queue's completion
   *     queue.
   */
  public B inlineReceive(int bytes) {
    receivesInCqe = requireInCqe("inlineReceive", bytes);
    return self();
  }

  /**
   * Says whether each request carries a signature, by which the device finds requests whose bytes
   * changed since: it fails them. Send requests are signed when the doorbell rings, receive
   * requests of a queue of the queue pair's own when they end. The device sees such a receive
   * request at the latest when the next one starts, because the signature is that of a call of
   * libmlx5 with a single request. Default off.
   *
   * @throws IllegalStateException on a device that checks no signatures
   */
  public B signatures(boolean on) {
    if (on && !domain.device().attributes().signatures()) {
      throw new IllegalStateException(
          domain.device() + " checks no signatures of requests (wq_signature)");
    }
    signatures = on;
    return self();
  }

  /** Returns the plan of the queue pair. */
  final QueuePairPlan plan(ServiceType service) {
    return plan(
        service,
        sharedReceives == null ? receiveRequests : 0,
        maxScatter,
        receiveCompletions,
        sharedReceives);
  }
}
