package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import java.util.EnumSet;
import java.util.Set;

/** Describes a reliable-connection queue pair to be created. Not thread-safe. */
public final class RcQueuePairBuilder extends ReceivingQueuePairBuilder<RcQueuePairBuilder> {
  private Set<Access> access =
      EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
  private int responderResources = 16;
  private boolean memoryCopies;
  private boolean outOfOrderPlacement;
  private int initialPsn = ConnectionSettings.RANDOM_PSN;

  RcQueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    super(domain, completions);
  }

  @Override
  RcQueuePairBuilder self() {
    return this;
  }

  /**
   * Sets the rights of the peer. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  public RcQueuePairBuilder access(Access... rights) {
    access = Access.setOf(rights);
    return this;
  }

  /**
   * Sets how many READs and atomics of the peer are served at a time. The device may limit it.
   * Default 16.
   *
   * @param count 1 … 128
   */
  public RcQueuePairBuilder responderResources(int count) {
    responderResources = Ranges.require("responderResources", count, 1, 128);
    return this;
  }

  /**
   * Sets the sequence number of the first request packet. Default: a random number, and another one
   * after each reset.
   *
   * @param psn 24 bits
   */
  public RcQueuePairBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  /**
   * Lets the queue pair receive from a tag-matching queue: messages begin with a {@link TagHeader},
   * and their completions come to that queue's completion queue.
   */
  public RcQueuePairBuilder receiveFrom(TagMatchingReceiveQueue receives) {
    return receiveFrom(receives.shared());
  }

  /**
   * Lets the queue pair receive from a queue with strides: each packet of a message has a
   * completion in this queue pair's completion queue for receives, with a {@link
   * Completion#stride()}.
   */
  public RcQueuePairBuilder receiveFrom(StridingReceiveQueue receives) {
    return receiveFrom(receives.shared());
  }

  /**
   * Lets the device put what signalled READs and atomics bring into their completions, when it is
   * so short. The poll copies it to the scatter entries, so that a program sees no difference.
   * Default 0.
   *
   * @param bytes 0, 32, or 64, which needs a completion queue with entries of 128 bytes
   */
  public RcQueuePairBuilder scatterToCqe(int bytes) {
    answersInCqe = requireInCqe("scatterToCqe", bytes);
    return this;
  }

  /**
   * Turns to a queue pair whose requests report and release only when they are signalled and
   * fenced, for memory with relaxed ordering. Everything else must have been said before.
   */
  public RelaxedRcQueuePairBuilder relaxedOrdering() {
    return new RelaxedRcQueuePairBuilder(this);
  }

  /**
   * Turns to a queue pair that takes part in NIC programs: its requests may wait for completions,
   * for memory and for the clock, and let managed queues go on. Everything else must have been said
   * before. Mirrors {@code ib_verbs.h: IB_QP_CREATE_CROSS_CHANNEL} of Linux.
   *
   * @throws IllegalStateException on a device without {@link DeviceAttributes#crossChannel()}, or
   *     with signatures or data in completions, which belong to requests that the driver tells of
   */
  public CrossChannelBuilder crossChannel() {
    if (!domain.device().attributes().crossChannel()) {
      throw new IllegalStateException(domain.device() + " has no cross-channel queue pairs (cd)");
    }
    if (signatures) {
      throw new IllegalStateException(
          "a cross-channel queue pair has no signatures, which change with each request that others"
              + " rewrite: leave out signatures(true)");
    }
    if (answersInCqe > 0 || receivesInCqe > 0) {
      throw new IllegalStateException(
          "a cross-channel queue pair takes no data in completions, as other requests look for it"
              + " in memory: leave out scatterToCqe and inlineReceive");
    }
    return new CrossChannelBuilder(this);
  }

  /**
   * Says whether the data that comes to the queue pair may be placed out of order, whatever the
   * keys of the memory: {@link Access#RELAXED_ORDERING} says what that means for a program. Default
   * off. Mirrors {@code mlx5dv.h: MLX5DV_QP_CREATE_OOO_DP}.
   *
   * @throws IllegalStateException on a device without {@link
   *     DeviceAttributes#outOfOrderPlacement()}
   */
  public RcQueuePairBuilder outOfOrderPlacement(boolean on) {
    if (on && !domain.device().attributes().outOfOrderPlacement()) {
      throw new IllegalStateException(
          "%s can't place the data of reliable connections out of order (dp_ordering_ooo_all_rc, dp_ordering_force)"
              .formatted(domain.device()));
    }
    outOfOrderPlacement = on;
    return this;
  }

  /** What the connection needs to know. */
  ConnectionSettings settings() {
    int most = domain.device().attributes().maxResponderResources();
    return new ConnectionSettings(
        ServiceType.RC,
        access,
        address(),
        Math.min(responderResources, most),
        initialPsn,
        outOfOrderPlacement);
  }

  /**
   * Says whether the queue pair makes copies from memory to memory of this device, see {@link
   * RcQueuePair#copyMemory(long, int, long, int, int)}. Default off.
   */
  public RcQueuePairBuilder memoryCopies(boolean on) {
    memoryCopies = on;
    return this;
  }

  /**
   * Creates the queue pair and moves it to the INIT state, in which receives can be posted.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public RcQueuePair create() {
    return create(plan(ServiceType.RC), RcQueuePair::new);
  }

  /** Makes a queue pair of its parts. */
  @FunctionalInterface
  interface Kind<Q extends ReliableQueuePair> {
    Q of(QueuePairParts parts, ConnectionSettings settings, CopyReport report);
  }

  /** Creates a queue pair of a kind. */
  <Q extends ReliableQueuePair> Q create(QueuePairPlan plan, Kind<Q> kind) {
    ConnectionSettings settings = settings();
    CopyReport report = CopyReport.of(domain, memoryCopies);
    return report.with(
        () -> QueuePairParts.assemble(plan, parts -> kind.of(parts, settings, report)));
  }
}
