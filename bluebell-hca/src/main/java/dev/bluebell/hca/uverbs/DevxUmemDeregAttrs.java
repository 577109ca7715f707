package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_UMEM_DEREG: deregistering a umem. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
 * mlx5_ib_devx_umem_dereg_attrs}.
 */
public final class DevxUmemDeregAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX_UMEM, "MLX5_IB_METHOD_DEVX_UMEM_DEREG", 0x1001);

  public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 0x1000);

  public static final Method METHOD = D.method();

  private DevxUmemDeregAttrs() {}
}
