package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_UMEM_REG: registering a umem. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * mlx5_ib_devx_umem_reg_attrs}.
 */
public final class DevxUmemRegAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX_UMEM, "MLX5_IB_METHOD_DEVX_UMEM_REG", 0x1000);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE", 0x1000);
  public static final Attribute ADDR = D.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR", 0x1001);
  public static final Attribute LEN = D.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_LEN", 0x1002);
  public static final Attribute ACCESS = D.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS", 0x1003);
  public static final Attribute OUT_ID = D.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID", 0x1004);
  public static final Attribute PGSZ_BITMAP =
      D.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP", 0x1005);

  public static final Method METHOD = D.method();

  private DevxUmemRegAttrs() {}
}
