package dev.bluebell.connect.shared;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RejectedException;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.function.Supplier;

/** A client that records in each connection how it was made, so that it can make it again. */
public final class ReconnectingClient implements RdmaClient {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A shorter attempt would be given up before a server can answer. */
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final Dialer dialer;
  private final Duration deadline;

  /** Makes one connection, as {@link RdmaClient#connect} describes. Thread-safe. */
  public interface Dialer {
    /**
     * @param limit maximum time to wait, at least 1 ms
     * @throws LocalFailure when the failure is this side's
     */
    EndingConnection connect(
        Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options, Duration limit)
        throws ConnectionException;
  }

  /** How a client made a connection, which refers to it. */
  record Plan(
      RdmaClient client, Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options) {}

  /**
   * @param deadline of each connection, 1 ms or more
   */
  public ReconnectingClient(Dialer dialer, Duration deadline) {
    this.dialer = dialer;
    this.deadline = deadline;
  }

  @Override
  public RdmaConnection connect(
      Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options)
      throws ConnectionException {
    if (offer.privateData().length > Offer.MAX_CONNECT_BYTES) {
      throw new IllegalArgumentException(
          "a connecting side sends at most %d private bytes, not %d"
              .formatted(Offer.MAX_CONNECT_BYTES, offer.privateData().length));
    }
    EndingConnection connection = dialer.connect(queuePair, offer, options, deadline);
    connection.setPlan(new Plan(this, queuePair, offer, options));
    return connection;
  }

  @Override
  public RdmaConnection reconnect(RdmaConnection before, Duration patience)
      throws ConnectionException, InterruptedException {
    if (!(before instanceof EndingConnection made)) {
      throw notMadeHere(before);
    }
    Plan plan = made.takePlan(this);
    if (plan == null) {
      throw notMadeHere(before);
    }
    try {
      before.close();
      EndingConnection connection = connect(plan, patience);
      connection.setPlan(plan);
      return connection;
    } catch (ConnectionException | InterruptedException | RuntimeException | Error e) {
      // The caller may try again later.
      made.setPlan(plan);
      throw e;
    }
  }

  private static IllegalArgumentException notMadeHere(RdmaConnection before) {
    return new IllegalArgumentException(
        "%s was not made by this client, or was already reconnected".formatted(before));
  }

  private EndingConnection connect(Plan plan, Duration patience)
      throws ConnectionException, InterruptedException {
    long start = System.nanoTime();
    Duration left = patience;
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        Duration time = left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
        Duration limit = time.compareTo(deadline) < 0 ? time : deadline;
        return dialer.connect(plan.queuePair, plan.offer, plan.options, limit);
      } catch (RejectedException | LocalFailure e) {
        throw e;
      } catch (ConnectionException e) {
        left = patience.minusNanos(System.nanoTime() - start);
        // The next attempt should have as much time as the pause before it.
        if (left.compareTo(pause.multipliedBy(2)) < 0) {
          throw e;
        }
      }
      Thread.sleep(pause);
      left = patience.minusNanos(System.nanoTime() - start);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
  }
}
