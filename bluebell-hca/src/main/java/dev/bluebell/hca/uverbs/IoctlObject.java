package dev.bluebell.hca.uverbs;

/**
 * The kinds of objects that have ioctl methods. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
 * uverbs_default_objects} and {@code rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_objects}.
 */
public enum IoctlObject {
  DEVICE("UVERBS_OBJECT_DEVICE", 0),
  PD("UVERBS_OBJECT_PD", 1),
  CQ("UVERBS_OBJECT_CQ", 3),
  QP("UVERBS_OBJECT_QP", 4),
  SRQ("UVERBS_OBJECT_SRQ", 5),
  AH("UVERBS_OBJECT_AH", 6),
  MR("UVERBS_OBJECT_MR", 7),
  MW("UVERBS_OBJECT_MW", 8),
  XRCD("UVERBS_OBJECT_XRCD", 10),
  DM("UVERBS_OBJECT_DM", 14),
  COUNTERS("UVERBS_OBJECT_COUNTERS", 15),
  ASYNC_EVENT("UVERBS_OBJECT_ASYNC_EVENT", 16),
  DEVX("MLX5_IB_OBJECT_DEVX", 0x1000),
  DEVX_OBJ("MLX5_IB_OBJECT_DEVX_OBJ", 0x1001),
  DEVX_UMEM("MLX5_IB_OBJECT_DEVX_UMEM", 0x1002),
  DEVX_ASYNC_CMD_FD("MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD", 0x1004),
  DEVX_ASYNC_EVENT_FD("MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD", 0x1005),
  UAR("MLX5_IB_OBJECT_UAR", 0x1008);

  private final String header;
  private final int id;

  IoctlObject(String header, int id) {
    this.header = header;
    this.id = id;
  }

  /** The name in the public headers. */
  public String header() {
    return header;
  }

  /** The number of the kind in an ioctl. */
  public int id() {
    return id;
  }
}
