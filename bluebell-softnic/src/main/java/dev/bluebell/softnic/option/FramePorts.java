package dev.bluebell.softnic.option;

/**
 * An emulated Ethernet cable over UDP: each datagram between two ports of 127.0.0.1 is a frame.
 * Virtual machines have such interfaces, for example QEMU's {@code -netdev dgram}.
 *
 * @param own the device's port, 1 … 65535
 * @param peer the port at the other end, 1 … 65535
 */
public record FramePorts(int own, int peer) {
  private static final int MOST = 0xffff;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException when a port is out of range, or both are equal
   */
  public FramePorts {
    if (own < 1 || own > MOST || peer < 1 || peer > MOST || own == peer) {
      throw new IllegalArgumentException(
          "frames=%d:%d of device soft: it must name two different UDP ports of 127.0.0.1, the device's and the peer's, each from 1 to %d"
              .formatted(own, peer, MOST));
    }
  }

  static FramePorts parse(String value) {
    if (!value.matches("[0-9]{1,5}:[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "frames=%s of device soft: it must name two UDP ports of 127.0.0.1, the device's and the peer's, such as 6002:6001"
              .formatted(value));
    }
    String[] ports = value.split(":");
    return new FramePorts(Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
  }

  /** The option's syntax: {@code OWN:PEER}. */
  @Override
  public String toString() {
    return own + ":" + peer;
  }
}
