package dev.bluebell.softnic.wire;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of an Ethernet that this device sends to, as many as there is room for: the one that
 * was not sent to for longest is forgotten. What strangers say adds no host. Owned by the thread
 * that runs the engine.
 */
final class Neighbours {
  /** Hosts at most. */
  static final int MOST = 256;

  /** Packets that wait for a host's Ethernet address at most. */
  static final int MOST_HELD = 16;

  /** A host that this device sends to. */
  static final class Neighbour {
    /** Its Ethernet address; 0 while it is not known. */
    long mac;

    /** When it was asked for its address last, in nanoseconds of the device's clock. */
    long askedAt;

    /** Questions since the last answer. */
    int questions;

    /** Packets from their IP header on, which wait for its address. */
    final List<byte[]> held = new ArrayList<>();
  }

  private final Map<InetAddress, Neighbour> hosts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Neighbour> eldest) {
          return size() > MOST;
        }
      };

  int count() {
    return hosts.size();
  }

  /** The host at an address. */
  Neighbour at(InetAddress address) {
    Neighbour known = hosts.get(address);
    if (known == null) {
      known = new Neighbour();
      hosts.put(address, known);
    }
    return known;
  }

  /** The host at an address, if this device sends to it. */
  @Nullable Neighbour known(InetAddress address) {
    return hosts.get(address);
  }
}
