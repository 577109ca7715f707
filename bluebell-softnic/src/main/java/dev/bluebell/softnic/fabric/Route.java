package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.packet.Packet;

/** A {@link Path}, as a queue pair opened it. Called by the thread that runs the engine. */
public interface Route {

  /**
   * Payload bytes that one packet, or train of packets, may carry: a multiple of the path MTU,
   * which is {@code 2^logMtu}.
   */
  int burstBytes(int logMtu);

  /**
   * Payload bytes of requests that may be on this way and not acknowledged. More of them would be
   * lost where they arrive, if the peer does not read them at once.
   */
  default int windowBytes() {
    return Integer.MAX_VALUE;
  }

  /**
   * True when what is sent arrives in this device, within the call, in order and without fail: then
   * nothing lies between the two ends, and requests may cut through.
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
   * The peer notifies this end of congestion on the way.
   *
   * @return true when the route has a rate, which it has lowered
   */
  default boolean slowDown() {
    return false;
  }

  /** What the rate of the route is, as the rest of a sentence; empty when nothing limits it. */
  default String pace() {
    return "";
  }

  /**
   * True when the device itself is late: it still holds a packet from or to a queue pair that was
   * to arrive by then. A route on which every packet arrives within the call never does.
   *
   * @param due nanoseconds of the device's clock
   */
  default boolean isLate(int qpn, long due) {
    return false;
  }
}
