package dev.bluebell.softnic.fabric;

/**
 * A route of a fabric around another one, which carries the packets on. As something lies between
 * the two ends, nothing cuts through.
 */
interface OuterRoute extends Route {

  /** The way inside. */
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
  default boolean isLate(int qpn, long due) {
    return inside().isLate(qpn, due);
  }
}
