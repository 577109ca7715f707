package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.transport.Link;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.Request;
import dev.bluebell.softnic.transport.Requester;
import dev.bluebell.softnic.transport.Responder;
import dev.bluebell.softnic.transport.Response;
import dev.bluebell.softnic.transport.UnreliableReceiver;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fabric inside the device: queue pairs of one device reach each other without a wire. Nothing
 * is lost here.
 */
public final class Loopback implements Link {
  /**
   * One request may carry many packets here, as segmentation offload does it: big copies are
   * cheaper than many small ones.
   */
  private static final int LOG_BURST_PACKETS = 4;

  private final ObjectTable<QueuePair> queuePairs;
  private final Predicate<Gid> isOwn;
  private final IntFunction<Gid> gids;

  // Requests come in trains to one queue pair.
  private int knownQpn = -1;
  private int knownChanges;
  private @Nullable Responder known;

  /**
   * @param isOwn tells the GIDs of this device
   * @param gids the table of those GIDs
   */
  public Loopback(ObjectTable<QueuePair> queuePairs, Predicate<Gid> isOwn, IntFunction<Gid> gids) {
    this.queuePairs = queuePairs;
    this.isOwn = isOwn;
    this.gids = gids;
  }

  @Override
  public boolean reaches(Gid destination) {
    return isOwn.test(destination);
  }

  @Override
  public Gid gid(int index) {
    return gids.apply(index);
  }

  @Override
  public int burstBytes(int logMtu) {
    return 1 << logMtu + LOG_BURST_PACKETS;
  }

  @Override
  public @Nullable Responder direct(int destinationQpn) {
    if (destinationQpn != knownQpn || queuePairs.changes() != knownChanges) {
      QueuePair destination = queuePairs.find(destinationQpn);
      known =
          destination != null && destination.receives() instanceof Responder responder
              ? responder
              : null;
      knownQpn = destinationQpn;
      knownChanges = queuePairs.changes();
    }
    return known;
  }

  @Override
  public void send(Request request) {
    Responder responder = direct(request.destinationQpn());
    String dropped = responder == null ? nobody(request) : responder.receive(request);
    if (!dropped.isEmpty()) {
      noteDrop(request, dropped);
    }
  }

  @Override
  public void sendUnreliable(Request request) {
    QueuePair destination = queuePairs.find(request.destinationQpn());
    if (destination != null
        && destination.service() == request.service()
        && destination.receives() instanceof UnreliableReceiver receiver) {
      receiver.receive(request);
    } else {
      noteDrop(request, nobody(request));
    }
  }

  private String nobody(Request request) {
    QueuePair destination = queuePairs.find(request.destinationQpn());
    return destination == null
        ? "no QP 0x%x exists (%s)"
            .formatted(
                request.destinationQpn(),
                request.service() == ServiceType.UD ? "dqp_dct" : "remote_qpn")
        : "QP 0x%x is of service %s (st) and takes nothing from QP 0x%x of service %s"
            .formatted(
                destination.number(),
                destination.service(),
                request.sourceQpn(),
                request.service());
  }

  private void noteDrop(Request request, String why) {
    @Nullable QueuePair source = queuePairs.find(request.sourceQpn());
    if (source != null) {
      source.sends().noteDrop(why);
    }
  }

  @Override
  public void respond(Response response) {
    QueuePair destination = queuePairs.find(response.destinationQpn());
    if (destination != null && destination.sends() instanceof Requester requester) {
      requester.receive(response);
    }
  }
}
