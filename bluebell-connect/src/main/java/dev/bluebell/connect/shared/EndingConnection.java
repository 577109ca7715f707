package dev.bluebell.connect.shared;

import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Base class of connections over TCP and by RDMA CM: their queue pair, their peer, and their end,
 * which comes once. Thread-safe.
 */
public abstract class EndingConnection implements RdmaConnection {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.connect");

  private final RcQueuePair queuePair;
  private final Offer offer;
  private final InetSocketAddress peer;
  private final CompletableFuture<Ending> ended = new CompletableFuture<>();

  // The copy that callers may complete or cancel. Only one: the original references each copy until
  // it completes.
  private final CompletableFuture<Ending> endedForOthers = ended.copy();
  private final AtomicBoolean ending = new AtomicBoolean();

  /** How to make the connection again; null if it was accepted, or was made again. */
  private final AtomicReference<ReconnectingClient.@Nullable Plan> plan = new AtomicReference<>();

  protected EndingConnection(RcQueuePair queuePair, Offer offer, InetSocketAddress peer) {
    this.queuePair = queuePair;
    this.offer = offer;
    this.peer = peer;
  }

  /** Records how the connection was made. */
  final void setPlan(ReconnectingClient.Plan made) {
    plan.set(made);
  }

  /** Takes the record of how a client made the connection; null if there is none. */
  final ReconnectingClient.@Nullable Plan takePlan(RdmaClient client) {
    ReconnectingClient.Plan made = plan.get();
    return made != null && made.client().equals(client) && plan.compareAndSet(made, null)
        ? made
        : null;
  }

  /**
   * Begins the end; true for the first caller, which then calls {@link #toError} and notifies the
   * peer, in either order, and at last calls {@link #complete}.
   */
  protected final boolean begin() {
    return ending.compareAndSet(false, true);
  }

  /** Moves the queue pair to the error state. */
  protected final void toError() {
    try {
      queuePair.toError();
    } catch (RuntimeException e) {
      // The queue pair is closed, or its device is lost, was closed or handed over: its next use
      // throws anyway, but threads that wait for the end must not wait forever.
      LOGGER.log(Level.DEBUG, "%s was not moved to the error state".formatted(queuePair), e);
    }
  }

  /**
   * Completes the future, which runs the application's actions. Last, because they may take long
   * and wait for the peer.
   */
  protected final void complete(Ending how) {
    ended.complete(how);
  }

  @Override
  public final RcQueuePair queuePair() {
    return queuePair;
  }

  @Override
  public final Offer offer() {
    return offer;
  }

  @Override
  public final InetSocketAddress peer() {
    return peer;
  }

  @Override
  public final boolean isOpen() {
    // The copy is complete last, and callers may complete it before.
    return !ended.isDone() || !endedForOthers.isDone();
  }

  @Override
  public final CompletableFuture<Ending> ended() {
    return endedForOthers;
  }

  @Override
  public final void close() {
    disconnect();
    queuePair.close();
  }

  @Override
  public final String toString() {
    return "connection of %s with %s".formatted(queuePair, peer);
  }
}
