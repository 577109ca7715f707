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
    public static final Method METHOD =
        new Method(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_OTHER", 0x1000);
    public static final Attribute CMD_IN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", 0x1000);
    public static final Attribute CMD_OUT =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", 0x1001);

    private DevxOtherAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_QUERY_UAR: the number of a UAR page that the client maps by an index.
   * Mirrors {@code rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_query_uar_attrs}.
   */
  public static final class DevxQueryUarAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_QUERY_UAR", 0x1001);
    public static final Attribute USER_IDX =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX", 0x1000);
    public static final Attribute DEV_IDX =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX", 0x1001);

    private DevxQueryUarAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_QUERY_EQN: the EQN of a completion vector. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_query_eqn_attrs}.
   */
  public static final class DevxQueryEqnAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_QUERY_EQN", 0x1002);
    public static final Attribute USER_VEC =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC", 0x1000);
    public static final Attribute DEV_EQN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN", 0x1001);

    private DevxQueryEqnAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_CREATE: a command that creates an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_create_attrs}.
   */
  public static final class DevxObjCreateAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_CREATE", 0x1000);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", 0x1001);
    public static final Attribute CMD_OUT =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT", 0x1002);

    private DevxObjCreateAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_QUERY: a command that queries an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_query_attrs}.
   */
  public static final class DevxObjQueryAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_QUERY", 0x1003);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN", 0x1001);
    public static final Attribute CMD_OUT =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT", 0x1002);

    private DevxObjQueryAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY: a query whose answer is read from a file. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_query_async_attrs}.
   */
  public static final class DevxObjAsyncQueryAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY", 0x1004);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN", 0x1001);
    public static final Attribute FD =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD", 0x1002);
    public static final Attribute WR_ID =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID", 0x1003);
    public static final Attribute OUT_LEN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN", 0x1004);

    private DevxObjAsyncQueryAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_MODIFY: a command that modifies an object. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_modify_attrs}.
   */
  public static final class DevxObjModifyAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_MODIFY", 0x1002);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE", 0x1000);
    public static final Attribute CMD_IN =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN", 0x1001);
    public static final Attribute CMD_OUT =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT", 0x1002);

    private DevxObjModifyAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_OBJ_DESTROY: destroying an object that a command created. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_obj_destroy_attrs}.
   */
  public static final class DevxObjDestroyAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_OBJ, "MLX5_IB_METHOD_DEVX_OBJ_DESTROY", 0x1001);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE", 0x1000);

    private DevxObjDestroyAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_UMEM_REG: registering a umem. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
   * mlx5_ib_devx_umem_reg_attrs}.
   */
  public static final class DevxUmemRegAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_UMEM, "MLX5_IB_METHOD_DEVX_UMEM_REG", 0x1000);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE", 0x1000);
    public static final Attribute ADDR =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR", 0x1001);
    public static final Attribute LEN = METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_LEN", 0x1002);
    public static final Attribute ACCESS =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS", 0x1003);
    public static final Attribute OUT_ID =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID", 0x1004);
    public static final Attribute PGSZ_BITMAP =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP", 0x1005);

    private DevxUmemRegAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_UMEM_DEREG: deregistering a umem. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_umem_dereg_attrs}.
   */
  public static final class DevxUmemDeregAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_UMEM, "MLX5_IB_METHOD_DEVX_UMEM_DEREG", 0x1001);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE", 0x1000);

    private DevxUmemDeregAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC: opening a file for answers. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_async_cmd_fd_alloc_attrs}.
   */
  public static final class DevxAsyncCmdFdAllocAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX_ASYNC_CMD_FD, "MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC", 0x1000);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE", 0x1000);

    private DevxAsyncCmdFdAllocAttrs() {}
  }

  /**
   * The start of an answer in a file of DevX; the output of the command follows. Mirrors {@code
   * rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_cmd_hdr}.
   */
  public static final class Mlx5DevxAsyncCmdHdr {
    public static final Structure STRUCTURE =
        Structure.littleEndian("mlx5_ib_uapi_devx_async_cmd_hdr", 8);
    public static final Field WR_ID = STRUCTURE.u64("wr_id", 0);

    private Mlx5DevxAsyncCmdHdr() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC: opening a file for events. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_async_event_fd_alloc_attrs}.
   */
  public static final class DevxAsyncEventFdAllocAttrs {
    public static final Method METHOD =
        new Method(
            IoctlObject.DEVX_ASYNC_EVENT_FD, "MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC", 0x1000);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE", 0x1000);
    public static final Attribute FLAGS =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS", 0x1001);

    private DevxAsyncEventFdAllocAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT: subscribing events. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_devx_subscribe_event_attrs}.
   */
  public static final class DevxSubscribeEventAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVX, "MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT", 0x1003);
    public static final Attribute FD_HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE", 0x1000);
    public static final Attribute OBJ_HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE", 0x1001);
    public static final Attribute TYPE_NUM_LIST =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST", 0x1002);
    public static final Attribute FD_NUM =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM", 0x1003);
    public static final Attribute COOKIE =
        METHOD.attribute("MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE", 0x1004);

    private DevxSubscribeEventAttrs() {}
  }

  /**
   * The start of an event in a file of DevX; the event queue entry may follow. Mirrors {@code
   * rdma/mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_event_hdr}.
   */
  public static final class Mlx5DevxAsyncEventHdr {
    public static final Structure STRUCTURE =
        Structure.littleEndian("mlx5_ib_uapi_devx_async_event_hdr", 8);
    public static final Field COOKIE = STRUCTURE.u64("cookie", 0);

    private Mlx5DevxAsyncEventHdr() {}
  }

  /**
   * MLX5_IB_METHOD_UAR_OBJ_ALLOC: allocating a UAR page. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_uar_alloc_attrs}.
   */
  public static final class UarObjAllocAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.UAR, "MLX5_IB_METHOD_UAR_OBJ_ALLOC", 0x1000);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", 0x1000);
    public static final Attribute TYPE =
        METHOD.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", 0x1001);
    public static final Attribute MMAP_OFFSET =
        METHOD.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", 0x1002);
    public static final Attribute MMAP_LENGTH =
        METHOD.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", 0x1003);
    public static final Attribute PAGE_ID =
        METHOD.attribute("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", 0x1004);

    private UarObjAllocAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_UAR_OBJ_DESTROY: freeing a UAR page. Mirrors {@code rdma/mlx5_user_ioctl_cmds.h:
   * mlx5_ib_uar_obj_destroy_attrs}.
   */
  public static final class UarObjDestroyAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.UAR, "MLX5_IB_METHOD_UAR_OBJ_DESTROY", 0x1001);
    public static final Attribute HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", 0x1000);

    private UarObjDestroyAttrs() {}
  }

  private DevxAbi() {}
}
