package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.diagnosis.Happening;

/** Who may send to a connection. */
final class Peer {
  private Peer() {}

  /** Says why a request is not one that the queue pair's connection takes; empty when it is. */
  static String whyNot(QueuePair connected, Request request) {
    if (!connected.takesRequests()) {
      return "QP 0x%x is in %s and takes no requests"
          .formatted(connected.number(), Happening.stateName(connected.state()));
    }
    if (request.sourceQpn != connected.remoteQpn()) {
      return "QP 0x%x is connected to QP 0x%x (remote_qpn), not to QP 0x%x which sent the request"
          .formatted(connected.number(), connected.remoteQpn(), request.sourceQpn);
    }
    Gid peer = connected.remoteGid();
    if (request.sourceGidLow != peer.low() || request.sourceGidHigh != peer.high()) {
      return "QP 0x%x is connected to GID %s (rgid), not to %s which sent the request"
          .formatted(
              connected.number(), peer, new Gid(request.sourceGidHigh, request.sourceGidLow));
    }
    return "";
  }
}
