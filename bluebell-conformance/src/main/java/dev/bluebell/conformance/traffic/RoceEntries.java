package dev.bluebell.conformance.traffic;

import dev.bluebell.hca.Gid;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.GidType;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Entries of port 1's GID table, which on a card depend on the addresses of the machine. */
public final class RoceEntries {
  private static final int PORT = 1;

  private RoceEntries() {}

  /** The first entry of RoCE v2 with an IPv4 or IPv6 address. */
  public static OptionalInt first(Device device, boolean ipv4) {
    return IntStream.range(0, device.port(PORT).gidTableLength())
        .filter(index -> isOf(device, index, ipv4))
        .findFirst();
  }

  private static boolean isOf(Device device, int index, boolean ipv4) {
    Gid gid = device.gid(PORT, index);
    return !gid.equals(Gid.ZERO)
        && gid.isIpv4() == ipv4
        && device.gidType(PORT, index) == GidType.ROCE_V2;
  }
}
