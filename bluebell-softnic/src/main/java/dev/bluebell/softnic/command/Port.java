package dev.bluebell.softnic.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPort;

/** The device's one port: an Ethernet port whose wire is the device itself. */
public final class Port {
  public static final int NUMBER = 1;

  /** A locally administered unicast address. */
  public static final long MAC = 0x02_be_11_00_00_01L;

  private static final Gid LINK_LOCAL = new Gid(0xfe80_0000_0000_0000L, 0x00be_11ff_fe00_0001L);
  private static final Gid IPV4 = Gid.ofIpv4(0x7f000001);

  private Port() {}

  /**
   * An entry of the GID table: 0 the link-local address, 1 the IPv4 address 127.0.0.1; others are
   * empty.
   */
  public static Gid gid(int index) {
    return switch (index) {
      case 0 -> LINK_LOCAL;
      case 1 -> IPV4;
      default -> Gid.ZERO;
    };
  }

  public static boolean isOwn(Gid gid) {
    return gid.equals(LINK_LOCAL) || gid.equals(IPV4);
  }

  public static HcaPort state() {
    return new HcaPort(
        NUMBER, true, 4096, 4096, Limits.GID_TABLE_LENGTH, Limits.PKEY_TABLE_LENGTH, MAC, 0);
  }
}
