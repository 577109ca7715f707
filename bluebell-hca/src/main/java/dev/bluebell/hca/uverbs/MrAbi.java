package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Memory regions, memory windows and device memory. */
public final class MrAbi {
  /** Input of REG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_reg_mr}. */
  public static final class RegMr {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_reg_mr", 40);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field START = D.u64("start", 8);
    public static final Field LENGTH = D.u64("length", 16);
    public static final Field HCA_VA = D.u64("hca_va", 24);
    public static final Field PD_HANDLE = D.u32("pd_handle", 32);
    public static final Field ACCESS_FLAGS = D.u32("access_flags", 36);

    public static final Structure STRUCTURE = D.structure();

    private RegMr() {}
  }

  /** Output of REG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_reg_mr_resp}. */
  public static final class RegMrResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_reg_mr_resp", 12);

    public static final Field MR_HANDLE = D.u32("mr_handle", 0);
    public static final Field LKEY = D.u32("lkey", 4);
    public static final Field RKEY = D.u32("rkey", 8);

    public static final Structure STRUCTURE = D.structure();

    private RegMrResp() {}
  }

  /** Input of REREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_rereg_mr}. */
  public static final class ReregMr {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_rereg_mr", 48);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field MR_HANDLE = D.u32("mr_handle", 8);
    public static final Field FLAGS = D.u32("flags", 12);
    public static final Field START = D.u64("start", 16);
    public static final Field LENGTH = D.u64("length", 24);
    public static final Field HCA_VA = D.u64("hca_va", 32);
    public static final Field PD_HANDLE = D.u32("pd_handle", 40);
    public static final Field ACCESS_FLAGS = D.u32("access_flags", 44);

    public static final Structure STRUCTURE = D.structure();

    private ReregMr() {}
  }

  /** Output of REREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_rereg_mr_resp}. */
  public static final class ReregMrResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_rereg_mr_resp", 8);

    public static final Field LKEY = D.u32("lkey", 0);
    public static final Field RKEY = D.u32("rkey", 4);

    public static final Structure STRUCTURE = D.structure();

    private ReregMrResp() {}
  }

  /** Input of DEREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dereg_mr}. */
  public static final class DeregMr {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_dereg_mr", 4);

    public static final Field MR_HANDLE = D.u32("mr_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private DeregMr() {}
  }

  /**
   * UVERBS_METHOD_QUERY_MR: querying an MR. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_query_mr_cmd_attr_ids}.
   */
  public static final class QueryMrAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.MR, "UVERBS_METHOD_QUERY_MR", 3);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_QUERY_MR_HANDLE", 0);
    public static final Attribute RESP_LKEY = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_LKEY", 1);
    public static final Attribute RESP_RKEY = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_RKEY", 2);
    public static final Attribute RESP_LENGTH = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_LENGTH", 3);
    public static final Attribute RESP_IOVA = D.attribute("UVERBS_ATTR_QUERY_MR_RESP_IOVA", 4);

    public static final Method METHOD = D.method();

    private QueryMrAttrs() {}
  }

  /**
   * UVERBS_METHOD_ADVISE_MR: advice on memory with on-demand paging. Mirrors {@code
   * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_advise_mr_cmd_attr_ids}.
   */
  public static final class AdviseMrAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.MR, "UVERBS_METHOD_ADVISE_MR", 2);

    public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_ADVISE_MR_PD_HANDLE", 0);
    public static final Attribute ADVICE = D.attribute("UVERBS_ATTR_ADVISE_MR_ADVICE", 1);
    public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_ADVISE_MR_FLAGS", 2);
    public static final Attribute SGE_LIST = D.attribute("UVERBS_ATTR_ADVISE_MR_SGE_LIST", 3);

    public static final Method METHOD = D.method();

    private AdviseMrAttrs() {}
  }

  /**
   * A piece of memory in the list of UVERBS_METHOD_ADVISE_MR. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_sge}.
   */
  public static final class Sge {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_sge", 16);

    public static final Field ADDR = D.u64("addr", 0);
    public static final Field LENGTH = D.u32("length", 8);
    public static final Field LKEY = D.u32("lkey", 12);

    public static final Structure STRUCTURE = D.structure();

    private Sge() {}
  }

  /**
   * UVERBS_METHOD_MR_DESTROY: deregistering an MR. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_mr_destroy_ids}.
   */
  public static final class DestroyMrAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.MR, "UVERBS_METHOD_MR_DESTROY", 1);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_MR_HANDLE", 0);

    public static final Method METHOD = D.method();

    private DestroyMrAttrs() {}
  }

  /** Input of ALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_mw}. */
  public static final class AllocMw {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_alloc_mw", 16);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field PD_HANDLE = D.u32("pd_handle", 8);
    public static final Field MW_TYPE = D.u8("mw_type", 12);

    public static final Structure STRUCTURE = D.structure();

    private AllocMw() {}
  }

  /** Output of ALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_mw_resp}. */
  public static final class AllocMwResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_alloc_mw_resp", 8);

    public static final Field MW_HANDLE = D.u32("mw_handle", 0);
    public static final Field RKEY = D.u32("rkey", 4);

    public static final Structure STRUCTURE = D.structure();

    private AllocMwResp() {}
  }

  /** The driver's input of ALLOC_MW. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_mw}. */
  public static final class Mlx5AllocMw {
    private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_alloc_mw", 8);

    public static final Field COMP_MASK = D.u32("comp_mask", 0);
    public static final Field NUM_KLMS = D.u8("num_klms", 4);
    public static final Field RESERVED1 = D.u8("reserved1", 5);
    public static final Field RESERVED2 = D.u16("reserved2", 6);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5AllocMw() {}
  }

  /** Input of DEALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_mw}. */
  public static final class DeallocMw {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_dealloc_mw", 4);

    public static final Field MW_HANDLE = D.u32("mw_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private DeallocMw() {}
  }

  /**
   * UVERBS_METHOD_MW_DESTROY: freeing a memory window. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_mw_destroy_ids}.
   */
  public static final class DestroyMwAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.MW, "UVERBS_METHOD_MW_DESTROY", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_MW_HANDLE", 0);

    public static final Method METHOD = D.method();

    private DestroyMwAttrs() {}
  }

  /**
   * UVERBS_METHOD_DM_ALLOC: allocating device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_alloc_dm_cmd_attr_ids} and {@code rdma/mlx5_user_ioctl_cmds.h:
   * mlx5_ib_alloc_dm_attrs}.
   */
  public static final class AllocDmAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DM, "UVERBS_METHOD_DM_ALLOC", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_ALLOC_DM_HANDLE", 0);
    public static final Attribute LENGTH = D.attribute("UVERBS_ATTR_ALLOC_DM_LENGTH", 1);
    public static final Attribute ALIGNMENT = D.attribute("UVERBS_ATTR_ALLOC_DM_ALIGNMENT", 2);
    public static final Attribute RESP_START_OFFSET =
        D.attribute("MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET", 0x1000);
    public static final Attribute RESP_PAGE_INDEX =
        D.attribute("MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX", 0x1001);
    public static final Attribute REQ_TYPE = D.attribute("MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE", 0x1002);

    public static final Method METHOD = D.method();

    private AllocDmAttrs() {}
  }

  /**
   * UVERBS_METHOD_DM_FREE: freeing device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_free_dm_cmd_attr_ids}.
   */
  public static final class FreeDmAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DM, "UVERBS_METHOD_DM_FREE", 1);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_FREE_DM_HANDLE", 0);

    public static final Method METHOD = D.method();

    private FreeDmAttrs() {}
  }

  /**
   * UVERBS_METHOD_DM_MR_REG: registering device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_reg_dm_mr_cmd_attr_ids}.
   */
  public static final class RegDmMrAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.MR, "UVERBS_METHOD_DM_MR_REG", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_REG_DM_MR_HANDLE", 0);
    public static final Attribute OFFSET = D.attribute("UVERBS_ATTR_REG_DM_MR_OFFSET", 1);
    public static final Attribute LENGTH = D.attribute("UVERBS_ATTR_REG_DM_MR_LENGTH", 2);
    public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_REG_DM_MR_PD_HANDLE", 3);
    public static final Attribute ACCESS_FLAGS =
        D.attribute("UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS", 4);
    public static final Attribute DM_HANDLE = D.attribute("UVERBS_ATTR_REG_DM_MR_DM_HANDLE", 5);
    public static final Attribute RESP_LKEY = D.attribute("UVERBS_ATTR_REG_DM_MR_RESP_LKEY", 6);
    public static final Attribute RESP_RKEY = D.attribute("UVERBS_ATTR_REG_DM_MR_RESP_RKEY", 7);

    public static final Method METHOD = D.method();

    private RegDmMrAttrs() {}
  }

  /**
   * UVERBS_METHOD_REG_DMABUF_MR: registering a DMA-BUF. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_reg_dmabuf_mr_cmd_attr_ids}.
   */
  public static final class RegDmabufMrAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.MR, "UVERBS_METHOD_REG_DMABUF_MR", 4);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_HANDLE", 0);
    public static final Attribute PD_HANDLE = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE", 1);
    public static final Attribute OFFSET = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_OFFSET", 2);
    public static final Attribute LENGTH = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_LENGTH", 3);
    public static final Attribute IOVA = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_IOVA", 4);
    public static final Attribute FD = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_FD", 5);
    public static final Attribute ACCESS_FLAGS =
        D.attribute("UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS", 6);
    public static final Attribute RESP_LKEY = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY", 7);
    public static final Attribute RESP_RKEY = D.attribute("UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY", 8);

    public static final Method METHOD = D.method();

    private RegDmabufMrAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DM_QUERY: where device memory is mapped. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_query_dm_attrs}.
   */
  public static final class QueryDmAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DM, "MLX5_IB_METHOD_DM_QUERY", 0x1001);

    public static final Attribute REQ_HANDLE =
        D.attribute("MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE", 0x1000);
    public static final Attribute RESP_START_OFFSET =
        D.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET", 0x1001);
    public static final Attribute RESP_PAGE_INDEX =
        D.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX", 0x1002);
    public static final Attribute RESP_LENGTH =
        D.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH", 0x1003);

    public static final Method METHOD = D.method();

    private QueryDmAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DM_MAP_OP_ADDR: mapping an operation on device memory. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_dm_map_op_addr_attrs}.
   */
  public static final class DmMapOpAddrAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.DM, "MLX5_IB_METHOD_DM_MAP_OP_ADDR", 0x1000);

    public static final Attribute REQ_HANDLE =
        D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE", 0x1000);
    public static final Attribute REQ_OP =
        D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP", 0x1001);
    public static final Attribute RESP_START_OFFSET =
        D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET", 0x1002);
    public static final Attribute RESP_PAGE_INDEX =
        D.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX", 0x1003);

    public static final Method METHOD = D.method();

    private DmMapOpAddrAttrs() {}
  }

  private MrAbi() {}
}
