package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** DevX: raw commands, their objects, umems, events and UAR pages. */
public final class DevxAbi {
  /**
   * MLX5_IB_METHOD_DEVX_OTHER: a command that does not concern an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_other_attrs}.
   */
  public static final class DevxOtherAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_OTHER", 0x1000);

    public static final Attribute CMD_IN = D.attribute("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", 0x1000);
    public static final Attribute CMD_OUT = D.attribute("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", 0x1001);

    public static final Method METHOD = D.method();

    private DevxOtherAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_QUERY_UAR: the number of a UAR page that the client maps by an index.
   * Mirrors {@code rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_query_uar_attrs}.
   */
  public static final class DevxQueryUarAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_QUERY_UAR", 0x1001);

    public static final Attribute USER_IDX =
        D.attribute("MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX", 0x1000);
    public static final Attribute DEV_IDX =
        D.attribute("MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX", 0x1001);

    public static final Method METHOD = D.method();

    private DevxQueryUarAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_QUERY_EQN: the EQN of a completion vector. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_query_eqn_attrs}.
   */
  public static final class DevxQueryEqnAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_QUERY_EQN", 0x1002);

    public static final Attribute USER_VEC =
        D.attribute("MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC", 0x1000);
    public static final Attribute DEV_EQN =
        D.attribute("MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN", 0x1001);

    public static final Method METHOD = D.method();

    private DevxQueryEqnAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_CREATE: a command that creates an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_create_attrs}.
   */
  public static final class DevxObjCreateAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_CREATE", 0x1000);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", 0x1001);
    public static final Attribute CMD_OUT =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", 0x1002);

    public static final Method METHOD = D.method();

    private DevxObjCreateAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_QUERY: a command that queries an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_query_attrs}.
   */
  public static final class DevxObjQueryAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_QUERY", 0x1003);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN", 0x1001);
    public static final Attribute CMD_OUT =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT", 0x1002);

    public static final Method METHOD = D.method();

    private DevxObjQueryAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY: a query whose answer is read from a file. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_query_async_attrs}.
   */
  public static final class DevxObjAsyncQueryAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY", 0x1004);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN", 0x1001);
    public static final Attribute FD = D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD", 0x1002);
    public static final Attribute WR_ID =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID", 0x1003);
    public static final Attribute OUT_LEN =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN", 0x1004);

    public static final Method METHOD = D.method();

    private DevxObjAsyncQueryAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_MODIFY: a command that modifies an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_modify_attrs}.
   */
  public static final class DevxObjModifyAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_MODIFY", 0x1002);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN", 0x1001);
    public static final Attribute CMD_OUT =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT", 0x1002);

    public static final Method METHOD = D.method();

    private DevxObjModifyAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_DESTROY: destroying an object that a command created. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_destroy_attrs}.
   */
  public static final class DevxObjDestroyAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_DESTROY", 0x1001);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 0x1000);

    public static final Method METHOD = D.method();

    private DevxObjDestroyAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_UMEM_REG: registering a umem. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
   * mlx5_ib_devx_umem_reg_attrs}.
   */
  public static final class DevxUmemRegAttrs {
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

  /**
   * MLX5_IB_METHOD_DEVX_UMEM_DEREG: deregistering a umem. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_umem_dereg_attrs}.
   */
  public static final class DevxUmemDeregAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DEVX_UMEM, "MLX5_IB_METHOD_DEVX_UMEM_DEREG", 0x1001);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 0x1000);

    public static final Method METHOD = D.method();

    private DevxUmemDeregAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC: opening a file for answers. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_async_cmd_fd_alloc_attrs}.
   */
  public static final class DevxAsyncCmdFdAllocAttrs {
    private static final Method.Definition D =
        Method.define(
            IoctlObject.DEVX_ASYNC_CMD_FD, "MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC", 0x1000);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE", 0x1000);

    public static final Method METHOD = D.method();

    private DevxAsyncCmdFdAllocAttrs() {}
  }

  /**
   * The start of an answer in a file of DevX; the output of the command follows. Mirrors {@code
   * rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_cmd_hdr}.
   */
  public static final class Mlx5DevxAsyncCmdHdr {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_uapi_devx_async_cmd_hdr", 8);

    public static final Field WR_ID = D.u64("wr_id", 0);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5DevxAsyncCmdHdr() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC: opening a file for events. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_async_event_fd_alloc_attrs}.
   */
  public static final class DevxAsyncEventFdAllocAttrs {
    private static final Method.Definition D =
        Method.define(
            IoctlObject.DEVX_ASYNC_EVENT_FD, "MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC", 0x1000);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE", 0x1000);
    public static final Attribute FLAGS =
        D.attribute("MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS", 0x1001);

    public static final Method METHOD = D.method();

    private DevxAsyncEventFdAllocAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT: subscribing events. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_subscribe_event_attrs}.
   */
  public static final class DevxSubscribeEventAttrs {
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

  /**
   * The start of an event in a file of DevX; the event queue entry may follow. Mirrors {@code
   * rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_event_hdr}.
   */
  public static final class Mlx5DevxAsyncEventHdr {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_uapi_devx_async_event_hdr", 8);

    public static final Field COOKIE = D.u64("cookie", 0);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5DevxAsyncEventHdr() {}
  }

  /**
   * MLX5_IB_METHOD_UAR_OBJ_ALLOC: allocating a UAR page. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_uar_alloc_attrs}.
   */
  public static final class UarObjAllocAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.UAR, "MLX5_IB_METHOD_UAR_OBJ_ALLOC", 0x1000);

    public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 0x1000);
    public static final Attribute TYPE = D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", 0x1001);
    public static final Attribute MMAP_OFFSET =
        D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", 0x1002);
    public static final Attribute MMAP_LENGTH =
        D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", 0x1003);
    public static final Attribute PAGE_ID =
        D.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", 0x1004);

    public static final Method METHOD = D.method();

    private UarObjAllocAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_UAR_OBJ_DESTROY: freeing a UAR page. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
   * mlx5_ib_uar_obj_destroy_attrs}.
   */
  public static final class UarObjDestroyAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.UAR, "MLX5_IB_METHOD_UAR_OBJ_DESTROY", 0x1001);

    public static final Attribute HANDLE =
        D.attribute("MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", 0x1000);

    public static final Method METHOD = D.method();

    private UarObjDestroyAttrs() {}
  }

  private DevxAbi() {}
}
