package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * An attribute of an ioctl. Up to 8 bytes of data stand in it; longer data stand where it points
 * to. Mirrors {@code rdma/rdma_user_ioctl_cmds.h: ib_uverbs_attr}.
 */
public final class Attr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_attr", 16);

  public static final Field ATTR_ID = D.u16("attr_id", 0);
  public static final Field LEN = D.u16("len", 2);
  public static final Field FLAGS = D.u16("flags", 4);
  public static final Field DATA = D.u64("data", 8);

  public static final Structure STRUCTURE = D.structure();

  private Attr() {}
}
