package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.engine.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where packets go. Called by the thread that runs the engine. */
public interface Fabric {

  /**
   * Opens the way that a path describes, once for a connection or an address.
   *
   * @param sender who is activated when the route took no packet and would take one again
   * @return null when no packet reaches the far end
   */
  @Nullable Route open(Path path, Work sender);

  /** The port that packets leave from. */
  Station station();

  /** What the device shows of the fabric among its objects, one line each. */
  default List<String> lines() {
    return List.of();
  }
}
