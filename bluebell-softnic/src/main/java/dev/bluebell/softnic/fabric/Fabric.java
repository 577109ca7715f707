package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets between queue pairs, within the device or across a network. Called by the thread
 * that runs the engine.
 */
public interface Fabric {

  /**
   * Opens a route along a path, once for a connection or an address.
   *
   * @param sender is activated when the route has refused a packet and has room again
   * @return null when the far end is unreachable
   */
  @Nullable Route open(Path path, Work sender);

  /** The port that packets leave from. */
  Station station();

  /** Lines that the device shows about the fabric among its objects. */
  default List<String> lines() {
    return List.of();
  }
}
