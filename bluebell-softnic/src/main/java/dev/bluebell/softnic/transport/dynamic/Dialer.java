package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.reliable.PeerSelection;
import dev.bluebell.softnic.transport.reliable.Peers;
import dev.bluebell.softnic.transport.reliable.RcResponder;
import org.jspecify.annotations.Nullable;

/**
 * Points the connection of a dynamically connected initiator, or of one of its streams, at the
 * target that a request names. Each change of target begins a new session: its first request opens
 * it at the target (a half handshake), and a DISCONNECT ends it when the initiator leaves the
 * target. Owned by the thread that runs the engine.
 */
public final class Dialer implements PeerSelection {
  private static final int SERVICE = Opcodes.service(ServiceType.DCI);

  private final Connection connection;
  private final Peers peers;
  private final int stream;
  private final Packet farewell = new Packet();

  private boolean dialed;
  private long key;

  public Dialer(Connection connection, Peers peers, int stream) {
    this.connection = connection;
    this.peers = peers;
    this.stream = stream;
    farewell.opcode = SERVICE | Opcodes.DISCONNECT;
  }

  @Override
  public boolean isPerRequest() {
    return true;
  }

  @Override
  public boolean isNamed(long at) {
    return isDialed(at)
        && AddressVector.isExtended(Memory.getLong(at + AddressVector.DESTINATION_WORD));
  }

  @Override
  public Aim aim(SendWqe wqe, boolean isIdle, Fault fault) {
    if (isDialed(wqe.addressVector())) {
      return Aim.SAME;
    }
    if (!isIdle) {
      return Aim.WAITS;
    }
    return dial(wqe.addressVector(), fault) ? Aim.OTHER : Aim.SAME;
  }

  /** True when the address vector at an address names the target of the session. */
  private boolean isDialed(long at) {
    return dialed
        && Memory.getLong(at + AddressVector.KEY_WORD) == key
        && AddressVector.qpn(Memory.getLong(at + AddressVector.DESTINATION_WORD))
            == connection.remoteQpn()
        && connection.isOn(at);
  }

  /**
   * Begins a session with the target that an address vector in the device's own memory names; false
   * with the fault set when it can't.
   */
  private boolean dial(long at, Fault fault) {
    Path path = connection.pathOf(at);
    if (path == null) {
      fault.set(Syndrome.LOCAL_QP_OP_ERR, connection.station().whyNoPath(at));
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

  /** The responder of the session; null when there is none, or the target does not know it yet. */
  @Override
  public @Nullable RcResponder responder() {
    return dialed ? peers.session(farewell) : null;
  }

  @Override
  public void reset() {
    hangUp();
  }

  /** Ends the session. If the fabric has no room, the next session ends it at the target. */
  private void hangUp() {
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
