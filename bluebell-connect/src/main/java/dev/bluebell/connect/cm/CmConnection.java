package dev.bluebell.connect.cm;

import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.shared.QueuePairEnd;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.verbs.RcQueuePair;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** A connection by RDMA CM. The event thread of its connection manager file delivers its events. */
final class CmConnection implements RdmaConnection {
  private final CmId id;
  private final QueuePairEnd end;
  private final Offer offer;
  private final InetSocketAddress peer;

  private CmConnection(CmId id, RcQueuePair queuePair, Offer offer, InetSocketAddress peer) {
    this.id = id;
    end = new QueuePairEnd(queuePair);
    this.offer = offer;
    this.peer = peer;
  }

  /** Starts to handle the events of an established connection. */
  static CmConnection watched(CmId id, RcQueuePair queuePair, Offer offer, InetSocketAddress peer) {
    CmConnection connection = new CmConnection(id, queuePair, offer, peer);
    id.handle(connection::take);
    return connection;
  }

  private void take(CmEvent event) {
    if (event.is(CmEventType.DISCONNECTED) || event.is(CmEventType.REJECTED)) {
      // A disconnect by the peer, or its answer to this side's. Destroying the id answers the peer.
      end(Ending.DISCONNECTED_BY_PEER);
    } else if (event.is(CmEventType.DEVICE_REMOVAL)) {
      end(Ending.LOST);
    }
  }

  private void end(Ending how) {
    if (end.begin()) {
      end.finish(how);
    }
    id.destroy();
  }

  @Override
  public RcQueuePair queuePair() {
    return end.queuePair();
  }

  @Override
  public Offer offer() {
    return offer;
  }

  @Override
  public InetSocketAddress peer() {
    return peer;
  }

  @Override
  public boolean isOpen() {
    return end.isOpen();
  }

  @Override
  public CompletableFuture<Ending> ended() {
    return end.future();
  }

  @Override
  public void disconnect() {
    if (end.begin()) {
      end.finish(Ending.DISCONNECTED_HERE);
      try {
        // The id stays until the peer has answered, so that the message is repeated if it is lost.
        id.file().disconnect(id.number());
      } catch (CmRefusal e) {
        id.destroy();
      }
    }
  }

  @Override
  public void close() {
    disconnect();
    end.queuePair().close();
  }

  @Override
  public String toString() {
    return "connection of %s with %s".formatted(end.queuePair(), peer);
  }
}
