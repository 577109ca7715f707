package dev.bluebell.softnic.rig;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.command.Port;

/** The addresses of the devices under test, which are all the same device to their network. */
public final class Addresses {
  /** See {@code SoftNicOptions.withIdentity}. */
  public static final int IDENTITY = 1;

  /** Entry of the GID table: the link-local address over RoCE v2. */
  public static final int LINK_LOCAL = 1;

  /** Entry of the GID table: the IPv4 address over RoCE v2. */
  public static final int IPV4 = 3;

  public static final Port PORT = new Port(IDENTITY, 4096);

  private Addresses() {}

  /** An entry of the GID table. */
  public static Gid gid(int index) {
    return PORT.gid(index);
  }
}
