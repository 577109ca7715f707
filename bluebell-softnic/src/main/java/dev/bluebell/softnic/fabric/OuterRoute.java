package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.packet.Packet;

/**
 * A route of a fabric that wraps another one, which carries the packets on. It is never direct, so
 * requests do not cut through.
 */
interface OuterRoute extends Route {

  Route inside();

  @Override
  default int burstBytes(int logMtu) {
    return inside().burstBytes(logMtu);
  }

  @Override
  default int windowBytes() {
    return inside().windowBytes();
  }

  @Override
  default boolean isDirect() {
    return false;
  }

  @Override
  default boolean isHeldUp(Packet packet) {
    return inside().isHeldUp(packet);
  }

  @Override
  default boolean isLate(int qpn, long due) {
    return inside().isLate(qpn, due);
  }

  @Override
  default boolean isUnread(long due) {
    return inside().isUnread(due);
  }
}
