package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** An entry of the GID table. Mirrors {@code rdma/ib_user_ioctl_verbs.h: ib_uverbs_gid_entry}. */
public final class GidEntry {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_gid_entry", 32);

  public static final Field GID = D.bytes("gid", 0, 16);
  public static final Field GID_INDEX = D.u32("gid_index", 16);
  public static final Field PORT_NUM = D.u32("port_num", 20);
  public static final Field GID_TYPE = D.u32("gid_type", 24);
  public static final Field NETDEV_IFINDEX = D.u32("netdev_ifindex", 28);

  public static final Structure STRUCTURE = D.structure();

  private GidEntry() {}
}
