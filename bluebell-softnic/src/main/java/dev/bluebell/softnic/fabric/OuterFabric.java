package dev.bluebell.softnic.fabric;

import java.util.List;

/** A fabric around another one, which carries the packets on and has the port. */
interface OuterFabric extends Fabric {

  /** The fabric inside. */
  Fabric inside();

  @Override
  default Station station() {
    return inside().station();
  }

  @Override
  default List<String> lines() {
    return inside().lines();
  }
}
