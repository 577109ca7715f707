package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.transport.Link;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.Request;
import dev.bluebell.softnic.transport.Responder;
import dev.bluebell.softnic.transport.Response;
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

  // Requests come in trains to one queue pair.
  private int knownQpn = -1;
  private int knownChanges;
  private @Nullable Responder known;

  /**
   * @param isOwn tells the GIDs of this device
   */
  public Loopback(ObjectTable<QueuePair> queuePairs, Predicate<Gid> isOwn) {
    this.queuePairs = queuePairs;
    this.isOwn = isOwn;
  }

  @Override
  public boolean reaches(Gid destination) {
    return isOwn.test(destination);
  }

  @Override
  public int burstBytes(int logMtu) {
    return 1 << logMtu + LOG_BURST_PACKETS;
  }

  @Override
  public @Nullable Responder direct(int destinationQpn) {
    if (destinationQpn != knownQpn || queuePairs.changes() != knownChanges) {
      QueuePair destination = queuePairs.find(destinationQpn);
      known = destination == null ? null : destination.responder();
      knownQpn = destinationQpn;
      knownChanges = queuePairs.changes();
    }
    return known;
  }

  @Override
  public void send(Request request) {
    Responder responder = direct(request.destinationQpn());
    String dropped =
        responder == null
            ? "no QP 0x%x exists (remote_qpn)".formatted(request.destinationQpn())
            : responder.receive(request);
    if (!dropped.isEmpty()) {
      noteDrop(request, dropped);
    }
  }

  private void noteDrop(Request request, String why) {
    @Nullable QueuePair source = queuePairs.find(request.sourceQpn());
    if (source != null) {
      source.requester().noteDrop(why);
    }
  }

  @Override
  public void respond(Response response) {
    QueuePair destination = queuePairs.find(response.destinationQpn());
    if (destination != null) {
      destination.requester().receive(response);
    }
  }
}
