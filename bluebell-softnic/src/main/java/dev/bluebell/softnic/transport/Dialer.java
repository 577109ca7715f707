package dev.bluebell.softnic.transport;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.VendorSyndrome;
import org.jspecify.annotations.Nullable;

/**
 * Points the connection of a dynamically connected initiator, or of one of its streams, at the
 * target that a request names. Each time it is another one, a new session begins: the target learns
 * of it by the first request (a half handshake), and of its end when the initiator turns away.
 * Owned by whoever runs the engine.
 */
final class Dialer {
  private static final int SERVICE = BthOpcode.service(ServiceType.DCI);

  private final Connection connection;
  private final Peers peers;
  private final int stream;
  private final Packet farewell = new Packet();

  private boolean dialed;
  private long key;

  Dialer(Connection connection, Peers peers, int stream) {
    this.connection = connection;
    this.peers = peers;
    this.stream = stream;
    farewell.opcode = SERVICE | BthOpcode.DISCONNECT;
  }

  /** True when the address vector at an address names the target of the session. */
  boolean isDialed(long at) {
    return dialed
        && Memory.getLong(at + AddressVector.KEY_WORD) == key
        && AddressVector.qpn(Memory.getLong(at + AddressVector.DESTINATION_WORD))
            == connection.remoteQpn()
        && connection.isOn(at);
  }

  /**
   * Begins a session with the target that an address vector in the device's own memory names; false
   * when the fault says why not.
   */
  boolean dial(long at, Fault fault) {
    Path path = connection.pathOf(at);
    if (path == null) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR, VendorSyndrome.UNKNOWN, connection.station().whyNoPath(at));
      return false;
    }
    hangUp();
    key = Memory.getLong(at + AddressVector.KEY_WORD);
    connection.connect(
        path, AddressVector.qpn(Memory.getLong(at + AddressVector.DESTINATION_WORD)));
    connection.identify(key, stream, peers.newSession());
    connection.address(farewell);
    dialed = true;
    return true;
  }

  /** The responder of the session; null when there is none, or the target does not know of it. */
  @Nullable RcResponder responder() {
    return dialed ? peers.session(farewell) : null;
  }

  /** Ends the session. When the fabric has no room, the target learns of it by the next one. */
  void hangUp() {
    if (!dialed) {
      return;
    }
    dialed = false;
    Route route = connection.route();
    if (route != null) {
      boolean unused = route.send(farewell);
    }
  }
}
