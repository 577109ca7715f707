package dev.bluebell.connect.cm;

import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.shared.EndingConnection;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.verbs.RcQueuePair;
import java.net.InetSocketAddress;

/** A connection by RDMA CM. The event thread of its connection manager file delivers its events. */
final class CmConnection extends EndingConnection {
  private final CmId id;

  private CmConnection(CmId id, RcQueuePair queuePair, Offer offer, InetSocketAddress peer) {
    super(queuePair, offer, peer);
    this.id = id;
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
    if (!begin()) {
      id.destroy();
      return;
    }
    try {
      toError();
      id.destroy();
    } finally {
      // The application's actions may wait for events, as a new connection does.
      Thread unused = Thread.ofVirtual().name("bluebell-connection").start(() -> complete(how));
    }
  }

  @Override
  public void disconnect() {
    if (!begin()) {
      return;
    }
    toError();
    try {
      // The id stays until the peer has answered, so that the message is repeated if it is lost.
      id.disconnect();
    } catch (CmRefusal e) {
      id.destroy();
    } finally {
      complete(Ending.DISCONNECTED_HERE);
    }
  }
}
