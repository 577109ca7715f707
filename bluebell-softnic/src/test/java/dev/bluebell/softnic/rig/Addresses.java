package dev.bluebell.softnic.rig;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.port.EthernetPort;

/** The addresses of the devices under test, which all have the same identity in their network. */
public final class Addresses {
  /** See {@code SoftNicOptions.withIdentity}. */
  public static final int IDENTITY = 1;

  /** Entry of the GID table: the link-local address over RoCE v2. */
  public static final int LINK_LOCAL = 1;

  /** Entry of the GID table: the IPv4 address over RoCE v2. */
  public static final int IPV4 = 3;

  public static final EthernetPort PORT = new EthernetPort(IDENTITY, 4096);

  private Addresses() {}

  /** An entry of the GID table. */
  public static Gid gid(int index) {
    return PORT.gid(index);
  }

  /** The path over RoCE v2 to a GID at the port's own Ethernet address. */
  public static Path path(Gid destination) {
    return PORT.path(
        View.of(Ads.STRUCTURE)
            .set(Ads.SRC_ADDR_INDEX, LINK_LOCAL)
            .set(Ads.RMAC_47_32, PORT.mac() >>> 32)
            .set(Ads.RMAC_31_0, PORT.mac() & 0xffffffffL)
            .setBytes(Ads.RGID_RIP, destination.bytes()));
  }
}
