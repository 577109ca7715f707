package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The 24 bytes that every ioctl starts with; its attributes follow. Mirrors {@code
 * rdma/rdma_user_ioctl_cmds.h: ib_uverbs_ioctl_hdr}.
 */
public final class IoctlHdr {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ioctl_hdr", 24);

  public static final Field LENGTH = D.u16("length", 0);
  public static final Field OBJECT_ID = D.u16("object_id", 2);
  public static final Field METHOD_ID = D.u16("method_id", 4);
  public static final Field NUM_ATTRS = D.u16("num_attrs", 6);
  public static final Field RESERVED1 = D.u64("reserved1", 8);
  public static final Field DRIVER_ID = D.u32("driver_id", 16);
  public static final Field RESERVED2 = D.u32("reserved2", 20);

  public static final Structure STRUCTURE = D.structure();

  private IoctlHdr() {}
}
