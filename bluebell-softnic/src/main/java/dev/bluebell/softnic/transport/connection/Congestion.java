package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.diagnosis.CongestionCounter;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.PartitionKey;
import java.util.concurrent.TimeUnit;

/**
 * Exchanges congestion notifications (CNPs) between the two ends of a connection: the receiver of a
 * packet that a switch marked notifies the sender, which may lower its rate. Owned by the thread
 * that runs the engine.
 */
public final class Congestion {
  /** Least time between two notifications of a queue pair: N of DCQCN. */
  static final long QUIET_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Lifecycle life;
  private final Connection connection;
  private final DeviceTime time;
  private final Counters counters;
  private long quietUntil = Long.MIN_VALUE;

  public Congestion(End end) {
    life = end.life();
    connection = end.connection();
    time = end.chip().time();
    counters = end.chip().counters();
  }

  // A queue pair of datagrams has no peer, only the destination of its last datagram.
  private boolean isFromPeer(Packet packet) {
    return life.takesRequests()
        && connection.service() != ServiceType.UD
        && connection.isPeer(packet);
  }

  /**
   * Notifies the peer that its packet was marked, unless it was notified just now.
   *
   * @param notification is overwritten
   */
  public void answer(Packet marked, Packet notification) {
    Route route = connection.route();
    long now = time.now();
    if (route == null || now < quietUntil || !isFromPeer(marked)) {
      return;
    }
    connection.address(notification);
    notification.opcode = BthOpcode.CNP;
    notification.partitionKey = PartitionKey.DEFAULT;
    // Without room, the next marked packet causes another notification.
    if (route.send(notification)) {
      quietUntil = now + QUIET_NANOS;
      counters.count(CongestionCounter.NOTIFICATIONS_SENT);
      counters.sent(1, 0);
    }
  }

  /** Handles a notification; false when it is not from the peer, or when the route has no rate. */
  public boolean take(Packet notification) {
    Route route = connection.route();
    return route != null && isFromPeer(notification) && route.slowDown();
  }
}
