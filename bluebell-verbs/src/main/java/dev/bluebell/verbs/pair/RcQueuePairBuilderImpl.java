package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.RelaxedRcQueuePairBuilder;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.receive.SharedSource;
import dev.bluebell.verbs.value.Ranges;
import java.util.EnumSet;
import java.util.Set;

/** Implements {@link RcQueuePairBuilder}. */
public final class RcQueuePairBuilderImpl extends ReceivingQueuePairBuilderImpl<RcQueuePairBuilder>
    implements RcQueuePairBuilder {
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

  private int responderResources = 16;
  private boolean memoryCopies;
  private boolean outOfOrderPlacement;
  private int initialPsn = ConnectionSettings.RANDOM_PSN;

  public RcQueuePairBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    super(domain, completions);
  }

  @Override
  public RcQueuePairBuilder access(Access... rights) {
    access = AccessSets.of(rights);
    return this;
  }

  @Override
  public RcQueuePairBuilder responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
    return this;
  }

  @Override
  public RcQueuePairBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  @Override
  public RcQueuePairBuilder receiveFrom(TagMatchingReceiveQueue receives) {
    return receiveFrom(SharedSource.of(receives));
  }

  @Override
  public RcQueuePairBuilder receiveFrom(StridingReceiveQueue receives) {
    return receiveFrom(SharedSource.of(receives));
  }

  @Override
  public RcQueuePairBuilder scatterToCqe(int bytes) {
    answersInCqe = requireInCqe("scatterToCqe", bytes);
    return this;
  }

  @Override
  public RelaxedRcQueuePairBuilder relaxedOrdering() {
    return () -> {
      ConnectionSettings settings = settings();
      return QueuePairParts.assemble(
          plan(ServiceType.RC).withRelaxed(), parts -> new RelaxedRcQueuePairImpl(parts, settings));
    };
  }

  @Override
  public CrossChannelBuilder crossChannel() {
    if (!domain.device().attributes().crossChannel()) {
      throw new IllegalStateException(domain.device() + " has no cross-channel queue pairs (cd)");
    }
    if (signatures) {
      throw new IllegalStateException(
          "a cross-channel queue pair can't have signatures, which change whenever another queue"
              + " pair rewrites a request: leave out signatures(true)");
    }
    if (answersInCqe > 0 || receivesInCqe > 0) {
      throw new IllegalStateException(
          "a cross-channel queue pair takes no data in completions, because other requests look for"
              + " it in memory: leave out scatterToCqe and inlineReceive");
    }
    return new CrossChannelBuilderImpl(this);
  }

  @Override
  public RcQueuePairBuilder outOfOrderPlacement(boolean on) {
    if (on && !domain.device().attributes().outOfOrderPlacement()) {
      throw new IllegalStateException(
          "%s can't place the data of reliable connections out of order (dp_ordering_ooo_all_rc, dp_ordering_force)"
              .formatted(domain.device()));
    }
    outOfOrderPlacement = on;
    return this;
  }

  /** The settings of the connection. */
  public ConnectionSettings settings() {
    int most = domain.device().attributes().maxResponderResources();
    return new ConnectionSettings(
        ServiceType.RC,
        access,
        address(),
        Math.min(responderResources, most),
        initialPsn,
        outOfOrderPlacement);
  }

  @Override
  public RcQueuePairBuilder memoryCopies(boolean on) {
    memoryCopies = on;
    return this;
  }

  @Override
  public RcQueuePairImpl create() {
    return create(plan(ServiceType.RC), RcQueuePairImpl::new);
  }

  /** Creates a queue pair from its parts. */
  @FunctionalInterface
  interface Kind<Q extends ReliableQueuePairImpl> {
    Q of(QueuePairParts parts, ConnectionSettings settings, CopyReport report);
  }

  /** Creates a queue pair of a kind. */
  public <Q extends ReliableQueuePairImpl> Q create(QueuePairPlan plan, Kind<Q> kind) {
    ConnectionSettings settings = settings();
    CopyReport report = CopyReport.of(domain, memoryCopies);
    return report.with(
        () -> QueuePairParts.assemble(plan, parts -> kind.of(parts, settings, report)));
  }
}
