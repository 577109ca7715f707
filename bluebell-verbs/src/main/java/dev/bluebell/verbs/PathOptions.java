package dev.bluebell.verbs;

/**
 * What packets to a destination carry in their network header, for services that name it in each
 * request.
 *
 * @param trafficClass IP traffic class, 0 … 255
 * @param serviceLevel service level, which is the Ethernet priority on RoCE, 0 … 7
 * @param flowLabel IPv6 flow label, 20 bits; when it is not 0, the UDP source port comes from it,
 *     so that packets of different labels may take different ways
 */
public record PathOptions(int trafficClass, int serviceLevel, int flowLabel) {
  public static final PathOptions DEFAULT = new PathOptions(0, 0, 0);

  /** Checks the ranges. */
  public PathOptions {
    Ranges.require("trafficClass", trafficClass, 0, 255);
    Ranges.require("serviceLevel", serviceLevel, 0, 7);
    Ranges.require("flowLabel", flowLabel, 0, 0xfffff);
  }
}
