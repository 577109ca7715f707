package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DM_MAP_OP_ADDR: mapping an operation on device memory. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_dm_map_op_addr_attrs}.
 */
public final class DmMapOpAddrAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DM, "MLX5_IB_METHOD_DM_MAP_OP_ADDR", 0x1000);

  public static final Attribute REQ_HANDLE =
      D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE", 0x1000);
  public static final Attribute REQ_OP = D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP", 0x1001);
  public static final Attribute RESP_START_OFFSET =
      D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET", 0x1002);
  public static final Attribute RESP_PAGE_INDEX =
      D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX", 0x1003);

  public static final Method METHOD = D.method();

  private DmMapOpAddrAttrs() {}
}
