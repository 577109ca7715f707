package dev.bluebell.softnic.port;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.option.LinkOptions;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The device's one port. Its wire is the device itself, and a network when the port has an address
 * there. Its other addresses follow from the device's unique number.
 */
public abstract sealed class Port implements Station permits EthernetPort, InfiniBandPort {
  public static final int NUMBER = 1;

  /** Entries of the GID table. */
  public static final int GID_TABLE_LENGTH = 8;

  static final int HOP_LIMIT = 64;
  static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;

  private static final long GUID = 0x00be_11ff_fe00_0000L;
  private static final int FIRST_QPN = 0x40;
  private static final int FIRST_QPNS = 64;

  private final int identity;
  private final int mtu;
  private volatile boolean down;
  private int downs;

  /**
   * @param identity the device's number, 1 … {@link LinkOptions#MAX_IDENTITY}
   * @param mtu largest path MTU of the link in bytes: 256, 512, 1024, 2048 or 4096
   */
  Port(int identity, int mtu) {
    this.identity = identity;
    this.mtu = mtu;
  }

  /**
   * The port of a device.
   *
   * @param identity the device's number, 1 … {@link LinkOptions#MAX_IDENTITY}
   */
  public static Port of(LinkOptions link, int identity) {
    return switch (link.layer()) {
      case ETHERNET ->
          link.listen() == null
              ? new EthernetPort(identity, link.mtu())
              : new EthernetPort(identity, link.networkMtu(), Gids.of(link.listen()));
      case INFINIBAND -> new InfiniBandPort(identity, link.mtu(), link.lmc(), link.partitionKeys());
    };
  }

  public abstract LinkLayer linkLayer();

  /** Entries of the partition key table. */
  public abstract int partitionKeys();

  /** Ethernet address, 48 bits; 0 on InfiniBand. */
  public long mac() {
    return 0;
  }

  /** Local identifier on InfiniBand, 16 bits; 0 on Ethernet. */
  public int lid() {
    return 0;
  }

  /** Low bits of the local identifier that the port ignores; 0 on Ethernet. */
  public int lmc() {
    return 0;
  }

  /** Local identifier of the subnet manager on InfiniBand; 0 on Ethernet. */
  public int subnetManager() {
    return 0;
  }

  /**
   * True when the network takes packets from an entry of the GID table to a destination that is not
   * of this port.
   */
  public abstract boolean reaches(int gidIndex, Gid destination);

  /**
   * Generates the numbers of queue pairs and memory keys, which strangers on a network must not
   * guess; null when the port has no network.
   */
  public abstract @Nullable RandomGenerator numbers();

  /** True for a GID of this port, and for any multicast GID. */
  public abstract boolean isOwn(Gid gid);

  /** Says why the port can't use an address path of a context; empty when it can. */
  public abstract String whyNotOf(View addressPath);

  /** Says why no end can listen at an entry of the GID table; empty when one can. */
  public abstract String whyNotAt(int gidIndex);

  /**
   * The path to a destination that {@link #isOwn} or that the port {@link #reaches}, or to the zero
   * GID of an initiator.
   *
   * @param gidIndex entry of the GID table that packets come from
   */
  public abstract HcaPath resolve(int gidIndex, Gid destination);

  /** The addresses of the port, for messages to users. */
  public abstract String addresses();

  /** The device's number. */
  final int identity() {
    return identity;
  }

  /** GUID of the port and of the device, 64 bits. */
  public final long guid() {
    return GUID | identity;
  }

  /** Number of the first queue pair, which differs between the devices of one process. */
  public final int firstQpn() {
    return FIRST_QPN * (1 + (identity - 1 & FIRST_QPNS - 1));
  }

  @Override
  public final int mtuCode() {
    return PathMtu.code(mtu);
  }

  /** Sets the reported state of the port: whether packets flow. */
  public final void setDown(boolean isDown) {
    downs += isDown && !down ? 1 : 0;
    down = isDown;
  }

  /** How often it went down. */
  public final int downs() {
    return downs;
  }

  /** True when packets flow. */
  public final boolean isActive() {
    return !down;
  }

  public final HcaPort state() {
    return new HcaPort(
        NUMBER,
        linkLayer(),
        isActive(),
        mtu,
        PathMtu.bytes(PathMtu.LARGEST),
        GID_TABLE_LENGTH,
        partitionKeys(),
        mac(),
        lid(),
        lmc(),
        subnetManager(),
        0,
        false);
  }
}
