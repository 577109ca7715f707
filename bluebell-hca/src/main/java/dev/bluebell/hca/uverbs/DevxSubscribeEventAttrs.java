package dev.bluebell.hca.uverbs;


/**
 * MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT: subscribing events. Mirrors {@code
 * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_subscribe_event_attrs}.
 */
public final class DevxSubscribeEventAttrs {
  private static final Method.Definition D =
      Method.define(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT", 0x1003);

  public static final Attribute FD_HANDLE =
      D.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE", 0x1000);
  public static final Attribute OBJ_HANDLE =
      D.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE", 0x1001);
  public static final Attribute TYPE_NUM_LIST =
      D.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", 0x1002);
  public static final Attribute FD_NUM =
      D.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM", 0x1003);
  public static final Attribute COOKIE =
      D.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE", 0x1004);

  public static final Method METHOD = D.method();

  private DevxSubscribeEventAttrs() {}
}
