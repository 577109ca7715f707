package dev.bluebell.verbs;

import dev.bluebell.verbs.value.Ranges;

/**
 * Network header fields of packets to a destination, for services whose requests name their
 * destination.
 *
 * @param trafficClass traffic class, 0 … 255
 * @param serviceLevel service level: 0 … 15 on InfiniBand; on Ethernet, where it is the priority, 0
 *     … 7
 * @param flowLabel flow label, 20 bits. On Ethernet, a label other than 0 determines the UDP source
 *     port, so packets with different labels may take different routes
 * @param globalRoute InfiniBand: whether packets carry a global route header, and with it traffic
 *     class and flow label, even when both ports are in one subnet. Packets to another subnet and
 *     to groups always carry one, and so do all packets on Ethernet
 */
public record PathOptions(int trafficClass, int serviceLevel, int flowLabel, boolean globalRoute) {
  public static final PathOptions DEFAULT = new PathOptions(0, 0, 0);

  /** Options without a global route header, unless one is required. */
  public PathOptions(int trafficClass, int serviceLevel, int flowLabel) {
    this(trafficClass, serviceLevel, flowLabel, false);
  }

  /** Checks the ranges. */
  public PathOptions {
    Ranges.require("trafficClass", trafficClass, 0, 255);
    Ranges.require("serviceLevel", serviceLevel, 0, 15);
    Ranges.require("flowLabel", flowLabel, 0, 0xfffff);
  }

  /** A copy with or without a global route on InfiniBand. */
  public PathOptions withGlobalRoute(boolean on) {
    return new PathOptions(trafficClass, serviceLevel, flowLabel, on);
  }
}
