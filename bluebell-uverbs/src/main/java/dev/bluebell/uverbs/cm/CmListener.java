package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.Verbs;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a listening id that takes requests. It creates an id for each request, and limits the
 * number of unread requests. Guarded by the {@link ConnectionManager}.
 */
final class CmListener {
  private static final int MOST_BACKLOG = 1024;

  private final CmId id;

  /** Number of requests that it takes before the client reads one. */
  private int backlog;

  /**
   * @param most unread requests; 0, negative and larger numbers mean 1024, which is the most
   */
  CmListener(CmId id, int most) {
    this.id = id;
    backlog = most > 0 && most < MOST_BACKLOG ? most : MOST_BACKLOG;
  }

  /** Handles a connection request. */
  Peers.Delivery take(Route route, Offer offer, int peerPsn, ConnectionPeer from) {
    if (id.type() != route.otherType()) {
      from.rejected(ReliableEnd.REASON_CONSUMER, new byte[0]);
      return Peers.Delivery.TAKEN;
    }
    int room = route.room(ReliableEnd.MOST_REQUEST_DATA);
    @Nullable CmId made = announce(route, event -> CmEvent.writeOffer(event, offer, true, room));
    if (made == null) {
      return Peers.Delivery.BUSY;
    }
    from.taken(made.asked(offer, peerPsn, from));
    return Peers.Delivery.TAKEN;
  }

  /** Handles a SIDR request; an id of another type refuses it. */
  Peers.Delivery take(Route route, byte[] data, DatagramPeer from) {
    if (id.type() != Verbs.QPT_UD) {
      return Peers.Delivery.REFUSED;
    }
    int room = route.room(DatagramEnd.MOST_REQUEST_DATA);
    @Nullable CmId made =
        announce(route, event -> CmEvent.writeDatagramData(event.at(EventResp.UD), data, room));
    if (made == null) {
      return Peers.Delivery.BUSY;
    }
    made.asked(from);
    return Peers.Delivery.TAKEN;
  }

  /**
   * Creates an id for a request, and reports the request to the client.
   *
   * @return null when the client has no room for the id or the event
   */
  private @Nullable CmId announce(Route route, Consumer<View> content) {
    CmFile file = id.file();
    @Nullable CmId made =
        backlog == 0
            ? null
            : file.tryCreate(id.type(), id.addressing().answering(route, file.port()));
    if (made == null) {
      return null;
    }
    if (!id.events().request(this, made, content)) {
      int unused = made.destroy();
      return null;
    }
    backlog--;
    return made;
  }

  /** Called when the client has read the event of a request. */
  void requestIsRead() {
    backlog++;
  }
}
