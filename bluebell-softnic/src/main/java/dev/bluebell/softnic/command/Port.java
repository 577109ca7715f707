package dev.bluebell.softnic.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.softnic.fabric.Station;

/**
 * The device's one port: an Ethernet port whose wire is the device itself. Its addresses follow
 * from a number that each device has of its own.
 */
public final class Port implements Station {
  public static final int NUMBER = 1;

  /** Entry of the GID table that programs mostly use: IPv4 over RoCE v2. */
  public static final int IPV4_V2 = 3;

  /** Numbers of devices are 1 … 2^24 − 2: what is left is a network's and its broadcast address. */
  public static final int MAX_IDENTITY = (1 << 24) - 2;

  /** Locally administered unicast addresses. */
  private static final long MAC_PREFIX = 0x02_be_11_00_00_00L;

  private static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;
  private static final long LINK_LOCAL_LOW = 0x00be_11ff_fe00_0000L;
  private static final int FIRST_QPN = 0x40;
  private static final int FIRST_QPNS = 64;

  private static final int LOOPBACK_NETWORK = 127 << 24;

  private final int identity;
  private final int mtu;
  private volatile boolean down;
  private final Gid linkLocal;
  private final Gid ipv4;

  /**
   * @param identity the device's number, 1 … {@link #MAX_IDENTITY}
   * @param mtu largest path MTU of the link in bytes: 256, 512, 1024, 2048 or 4096
   */
  public Port(int identity, int mtu) {
    this.identity = identity;
    this.mtu = mtu;
    linkLocal = new Gid(LINK_LOCAL_PREFIX, LINK_LOCAL_LOW | identity);
    ipv4 = Gid.ofIpv4(LOOPBACK_NETWORK | identity);
  }

  @Override
  public long mac() {
    return MAC_PREFIX | identity;
  }

  /**
   * An entry of the GID table, in the usual order of a RoCE port: 0 and 1 the link-local address, 2
   * and 3 the IPv4 address, of each first RoCE v1, then v2; others are empty.
   */
  @Override
  public Gid gid(int index) {
    return switch (index) {
      case 0, 1 -> linkLocal;
      case 2, IPV4_V2 -> ipv4;
      default -> Gid.ZERO;
    };
  }

  @Override
  public boolean isV1(int index) {
    return (index & 1) == 0;
  }

  @Override
  public boolean takes(long mac) {
    return mac == mac();
  }

  @Override
  public boolean isOwn(Gid gid) {
    return gid.equals(linkLocal) || gid.equals(ipv4);
  }

  /** Number of the first queue pair: devices of one process differ in it, too. */
  int firstQpn() {
    return FIRST_QPN * (1 + (identity - 1 & FIRST_QPNS - 1));
  }

  @Override
  public int mtuCode() {
    return PathMtu.code(mtu);
  }

  /** Says from now on that no packets flow. */
  public void goDown() {
    down = true;
  }

  public HcaPort state() {
    return new HcaPort(
        NUMBER,
        !down,
        mtu,
        PathMtu.bytes(PathMtu.LARGEST),
        Limits.GID_TABLE_LENGTH,
        Limits.PKEY_TABLE_LENGTH,
        mac(),
        0);
  }
}
