package dev.bluebell.softnic.wire;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ethernet hosts that this device sends to, in a bounded LRU cache: the host that was not sent to
 * for longest is evicted. Owned by the thread that runs the engine.
 */
final class Neighbours {
  /** Most packets that wait for a host's Ethernet address. */
  static final int MOST_HELD = 16;

  /** A host that this device sends to. */
  static final class Neighbour {
    /** Its Ethernet address; 0 while it is not known. */
    long mac;

    /** When it was asked for its address last, in nanoseconds of the device's clock. */
    long askedAt;

    /** Questions since the last answer. */
    int questions;

    /** Packets that wait for its address, from their IP header on. */
    final List<byte[]> held = new ArrayList<>();
  }

  private final Map<InetAddress, Neighbour> hosts;

  /**
   * @param most hosts in the cache
   */
  Neighbours(int most) {
    hosts =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<InetAddress, Neighbour> eldest) {
            return size() > most;
          }
        };
  }

  int count() {
    return hosts.size();
  }

  /** The host at an address, added if necessary. */
  Neighbour at(InetAddress address) {
    return hosts.computeIfAbsent(address, unknown -> new Neighbour());
  }

  /** The host at an address, if it is in the cache. */
  @Nullable Neighbour known(InetAddress address) {
    return hosts.get(address);
  }
}
