package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.packet.Packet;

/** A {@link Path} that a queue pair has opened. Called by the thread that runs the engine. */
public interface Route {

  /**
   * Payload bytes that one packet, or train of packets, may carry: a multiple of the path MTU,
   * which is {@code 2^logMtu}.
   */
  int burstBytes(int logMtu);

  /**
   * Payload bytes of requests that may be unacknowledged on this route. More could be lost on
   * arrival, if the peer does not read them at once.
   */
  default int windowBytes() {
    return Integer.MAX_VALUE;
  }

  /**
   * True when packets arrive in this device, within the call, in order and without loss. Then
   * requests may cut through.
   */
  boolean isDirect();

  /**
   * Carries a packet, which is not used after return; it may be lost on its way.
   *
   * @return false when there is no room for it now: nothing was taken, and the sender is activated
   *     when there is
   */
  boolean send(Packet packet);

  /**
   * True when a packet is refused because a page of its receiver's memory is awaited. Then the
   * sender is activated when the page has arrived.
   */
  default boolean isHeldUp(Packet packet) {
    return false;
  }

  /**
   * The peer notifies this end of congestion on the way.
   *
   * @return true when the route has a rate, which it has lowered
   */
  default boolean slowDown() {
    return false;
  }

  /** The rate of the route, as the end of a sentence; empty when it is not limited. */
  default String pace() {
    return "";
  }

  /**
   * True when the device itself is late: it still holds a packet from or to a queue pair that was
   * due by then. A route that delivers within the call is never late.
   *
   * @param due nanoseconds of the device's clock
   */
  default boolean isLate(int qpn, long due) {
    return false;
  }

  /**
   * True when a packet that had arrived by then may be unread, because the device's thread was not
   * scheduled, or has much else to read.
   *
   * @param due nanoseconds of the device's clock
   */
  default boolean isUnread(long due) {
    return false;
  }
}
