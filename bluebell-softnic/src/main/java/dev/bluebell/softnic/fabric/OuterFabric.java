package dev.bluebell.softnic.fabric;

import java.util.List;

/** A fabric that wraps another one, which carries the packets on and has the port. */
interface OuterFabric extends Fabric {

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
