package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_QUERY_EQN: the EQN of a completion vector. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_query_eqn_attrs}.
 */
public final class DevxQueryEqnAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_QUERY_EQN", 0x1002);

  public static final Attribute USER_VEC =
      D.attribute("MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC", 0x1000);
  public static final Attribute DEV_EQN =
      D.attribute("MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN", 0x1001);

  public static final Method METHOD = D.method();

  private DevxQueryEqnAttrs() {}
}
