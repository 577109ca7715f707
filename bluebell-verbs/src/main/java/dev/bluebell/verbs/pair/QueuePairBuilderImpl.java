package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.QueuePairBuilder;
import dev.bluebell.verbs.command.CrossChannel;
import dev.bluebell.verbs.command.DcStreamCounts;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.command.QueuePairFeatures;
import dev.bluebell.verbs.command.QueuePairShape;
import dev.bluebell.verbs.command.QueuePairSizes;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.value.Ranges;
import org.jspecify.annotations.Nullable;

/** Implements {@link QueuePairBuilder}. */
public abstract class QueuePairBuilderImpl<B extends QueuePairBuilder<B>>
    extends AddressBuilderImpl<B> implements QueuePairBuilder<B> {
  public static final int MAX_REQUESTS = 32768;
  private static final int MAX_GATHER = 61;
  private static final int MAX_INLINE = 972;
  protected final Domain domain;
  private final CompletionQueueImpl sendCompletions;
  private int sendRequests = 64;
  private int maxGather = 2;
  private int maxInline = 28;
  private boolean nopFill;
  private boolean blueFlame;
  int answersInCqe;
  int receivesInCqe;
  boolean signatures;

  public QueuePairBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    this.domain = domain;
    sendCompletions = completions;
  }

  @Override
  public B sendQueue(int requests) {
    sendRequests = Ranges.require("sendQueue", requests, 1, MAX_REQUESTS);
    return self();
  }

  @Override
  public B maxGather(int entries) {
    maxGather = Ranges.require("maxGather", entries, 0, MAX_GATHER);
    return self();
  }

  @Override
  public B maxInline(int bytes) {
    maxInline = Ranges.require("maxInline", bytes, 0, MAX_INLINE);
    return self();
  }

  @Override
  public B nopFill(boolean on) {
    nopFill = on;
    return self();
  }

  @Override
  public B blueFlame(boolean on) {
    blueFlame = on;
    return self();
  }

  /** Returns the address of the queue pair. */
  public final LocalAddress address() {
    return address(domain.device());
  }

  /** Returns the plan of a queue pair that receives nothing. */
  public final QueuePairPlan sendingPlan(ServiceType service) {
    return plan(service, 0, 1, sendCompletions, null);
  }

  /**
   * Returns the plan of the queue pair.
   *
   * @param receiveRequests size of the receive queue; 0 for none
   * @param maxScatter scatter entries of a receive request, at least 1
   * @param receiveCompletions where receive requests complete
   * @param sharedReceives the shared queue that it receives from; null for none
   */
  public final QueuePairPlan plan(
      ServiceType service,
      int receiveRequests,
      int maxScatter,
      CompletionQueueImpl receiveCompletions,
      @Nullable SharedReceives sharedReceives) {
    QueuePairUses uses =
        new QueuePairUses(domain, sendCompletions, receiveCompletions, sharedReceives);
    QueuePairFeatures features =
        new QueuePairFeatures(nopFill, blueFlame, signatures, false, answersInCqe, receivesInCqe);
    QueuePairSizes sizes =
        new QueuePairSizes(sendRequests, maxGather, maxInline, receiveRequests, maxScatter);
    QueuePairShape shape =
        QueuePairShape.of(service, sizes, features, domain.device().attributes());
    return new QueuePairPlan(
        service, uses, shape, features, DcStreamCounts.NONE, CrossChannel.NONE);
  }

  /** Checks a maximum number of data bytes inside a completion. */
  public static int requireInCqe(String name, int bytes) {
    if (bytes != 0 && bytes != 32 && bytes != 64) {
      throw new IllegalArgumentException("%s is 0, 32 or 64 bytes, not %d".formatted(name, bytes));
    }
    return bytes;
  }
}
