package dev.bluebell.connect.shared;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RejectedException;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/** A client that records how each connection was made, so that it can make it again. */
public final class ReconnectingClient implements RdmaClient {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final Dialer dialer;

  /** How the connections of this client were made. */
  private final Map<RdmaConnection, Plan> plans = Collections.synchronizedMap(new WeakHashMap<>());

  /** Makes one connection, as {@link RdmaClient#connect} describes. Thread-safe. */
  public interface Dialer {
    RdmaConnection connect(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options)
        throws ConnectionException;
  }

  private record Plan(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options) {}

  public ReconnectingClient(Dialer dialer) {
    this.dialer = dialer;
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
    Plan plan = new Plan(queuePair, offer, options);
    RdmaConnection connection = connect(plan);
    plans.put(connection, plan);
    return connection;
  }

  private RdmaConnection connect(Plan plan) throws ConnectionException {
    return dialer.connect(plan.queuePair, plan.offer, plan.options);
  }

  @Override
  public RdmaConnection reconnect(RdmaConnection before, Duration patience)
      throws ConnectionException, InterruptedException {
    Plan plan = plans.remove(before);
    if (plan == null) {
      throw new IllegalArgumentException(
          "%s was not made by this client, or was already reconnected".formatted(before));
    }
    before.close();
    try {
      RdmaConnection connection = connect(plan, patience);
      plans.put(connection, plan);
      return connection;
    } catch (ConnectionException | InterruptedException | RuntimeException e) {
      // The caller may try again later.
      plans.put(before, plan);
      throw e;
    }
  }

  private RdmaConnection connect(Plan plan, Duration patience)
      throws ConnectionException, InterruptedException {
    long start = System.nanoTime();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        return connect(plan);
      } catch (RejectedException e) {
        throw e;
      } catch (ConnectionException e) {
        if (System.nanoTime() - start >= patience.toNanos()) {
          throw e;
        }
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }
}
