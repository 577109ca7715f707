package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Memory regions, memory windows and device memory. */
public final class MrAbi {
  /** Input of REG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_reg_mr}. */
  public static final class RegMr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_reg_mr", 40);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field START = STRUCTURE.u64("start", 8);
    public static final Field LENGTH = STRUCTURE.u64("length", 16);
    public static final Field HCA_VA = STRUCTURE.u64("hca_va", 24);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 32);
    public static final Field ACCESS_FLAGS = STRUCTURE.u32("access_flags", 36);

    private RegMr() {}
  }

  /** Output of REG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_reg_mr_resp}. */
  public static final class RegMrResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_reg_mr_resp", 12);
    public static final Field MR_HANDLE = STRUCTURE.u32("mr_handle", 0);
    public static final Field LKEY = STRUCTURE.u32("lkey", 4);
    public static final Field RKEY = STRUCTURE.u32("rkey", 8);

    private RegMrResp() {}
  }

  /** Input of REREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_rereg_mr}. */
  public static final class ReregMr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_rereg_mr", 48);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field MR_HANDLE = STRUCTURE.u32("mr_handle", 8);
    public static final Field FLAGS = STRUCTURE.u32("flags", 12);
    public static final Field START = STRUCTURE.u64("start", 16);
    public static final Field LENGTH = STRUCTURE.u64("length", 24);
    public static final Field HCA_VA = STRUCTURE.u64("hca_va", 32);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 40);
    public static final Field ACCESS_FLAGS = STRUCTURE.u32("access_flags", 44);

    private ReregMr() {}
  }

  /** Output of REREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_rereg_mr_resp}. */
  public static final class ReregMrResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_rereg_mr_resp", 8);
    public static final Field LKEY = STRUCTURE.u32("lkey", 0);
    public static final Field RKEY = STRUCTURE.u32("rkey", 4);

    private ReregMrResp() {}
  }

  /** Input of DEREG_MR. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dereg_mr}. */
  public static final class DeregMr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_dereg_mr", 4);
    public static final Field MR_HANDLE = STRUCTURE.u32("mr_handle", 0);

    private DeregMr() {}
  }

  /**
   * UVERBS_METHOD_QUERY_MR: querying an MR. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_query_mr_cmd_attr_ids}.
   */
  public static final class QueryMrAttrs {
    public static final Method METHOD = new Method(IoctlObject.MR, "UVERBS_METHOD_QUERY_MR", 3);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_QUERY_MR_HANDLE", 0);
    public static final Attribute RESP_LKEY = METHOD.attribute("UVERBS_ATTR_QUERY_MR_RESP_LKEY", 1);
    public static final Attribute RESP_RKEY = METHOD.attribute("UVERBS_ATTR_QUERY_MR_RESP_RKEY", 2);
    public static final Attribute RESP_LENGTH =
        METHOD.attribute("UVERBS_ATTR_QUERY_MR_RESP_LENGTH", 3);
    public static final Attribute RESP_IOVA = METHOD.attribute("UVERBS_ATTR_QUERY_MR_RESP_IOVA", 4);

    private QueryMrAttrs() {}
  }

  /**
   * UVERBS_METHOD_ADVISE_MR: advice on memory with on-demand paging. Mirrors {@code
   * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_advise_mr_cmd_attr_ids}.
   */
  public static final class AdviseMrAttrs {
    public static final Method METHOD = new Method(IoctlObject.MR, "UVERBS_METHOD_ADVISE_MR", 2);
    public static final Attribute PD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_ADVISE_MR_PD_HANDLE", 0);
    public static final Attribute ADVICE = METHOD.attribute("UVERBS_ATTR_ADVISE_MR_ADVICE", 1);
    public static final Attribute FLAGS = METHOD.attribute("UVERBS_ATTR_ADVISE_MR_FLAGS", 2);
    public static final Attribute SGE_LIST = METHOD.attribute("UVERBS_ATTR_ADVISE_MR_SGE_LIST", 3);

    private AdviseMrAttrs() {}
  }

  /**
   * A piece of memory in the list of UVERBS_METHOD_ADVISE_MR. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_sge}.
   */
  public static final class Sge {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_sge", 16);
    public static final Field ADDR = STRUCTURE.u64("addr", 0);
    public static final Field LENGTH = STRUCTURE.u32("length", 8);
    public static final Field LKEY = STRUCTURE.u32("lkey", 12);

    private Sge() {}
  }

  /**
   * UVERBS_METHOD_MR_DESTROY: deregistering an MR. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_mr_destroy_ids}.
   */
  public static final class DestroyMrAttrs {
    public static final Method METHOD = new Method(IoctlObject.MR, "UVERBS_METHOD_MR_DESTROY", 1);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_MR_HANDLE", 0);

    private DestroyMrAttrs() {}
  }

  /** Input of ALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_mw}. */
  public static final class AllocMw {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_alloc_mw", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 8);
    public static final Field MW_TYPE = STRUCTURE.u8("mw_type", 12);

    private AllocMw() {}
  }

  /** Output of ALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_mw_resp}. */
  public static final class AllocMwResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_alloc_mw_resp", 8);
    public static final Field MW_HANDLE = STRUCTURE.u32("mw_handle", 0);
    public static final Field RKEY = STRUCTURE.u32("rkey", 4);

    private AllocMwResp() {}
  }

  /** The driver's input of ALLOC_MW. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_mw}. */
  public static final class Mlx5AllocMw {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_alloc_mw", 8);
    public static final Field COMP_MASK = STRUCTURE.u32("comp_mask", 0);
    public static final Field NUM_KLMS = STRUCTURE.u8("num_klms", 4);
    public static final Field RESERVED1 = STRUCTURE.u8("reserved1", 5);
    public static final Field RESERVED2 = STRUCTURE.u16("reserved2", 6);

    private Mlx5AllocMw() {}
  }

  /** Input of DEALLOC_MW. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_mw}. */
  public static final class DeallocMw {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_dealloc_mw", 4);
    public static final Field MW_HANDLE = STRUCTURE.u32("mw_handle", 0);

    private DeallocMw() {}
  }

  /**
   * UVERBS_METHOD_MW_DESTROY: freeing a memory window. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_mw_destroy_ids}.
   */
  public static final class DestroyMwAttrs {
    public static final Method METHOD = new Method(IoctlObject.MW, "UVERBS_METHOD_MW_DESTROY", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_MW_HANDLE", 0);

    private DestroyMwAttrs() {}
  }

  /**
   * UVERBS_METHOD_DM_ALLOC: allocating device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_alloc_dm_cmd_attr_ids} and {@code rdma/mlx5_user_ioctl_cmds.h:
   * mlx5_ib_alloc_dm_attrs}.
   */
  public static final class AllocDmAttrs {
    public static final Method METHOD = new Method(IoctlObject.DM, "UVERBS_METHOD_DM_ALLOC", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_ALLOC_DM_HANDLE", 0);
    public static final Attribute LENGTH = METHOD.attribute("UVERBS_ATTR_ALLOC_DM_LENGTH", 1);
    public static final Attribute ALIGNMENT = METHOD.attribute("UVERBS_ATTR_ALLOC_DM_ALIGNMENT", 2);
    public static final Attribute RESP_START_OFFSET =
        METHOD.attribute("MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET", 0x1000);
    public static final Attribute RESP_PAGE_INDEX =
        METHOD.attribute("MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX", 0x1001);
    public static final Attribute REQ_TYPE =
        METHOD.attribute("MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE", 0x1002);

    private AllocDmAttrs() {}
  }

  /**
   * UVERBS_METHOD_DM_FREE: freeing device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_free_dm_cmd_attr_ids}.
   */
  public static final class FreeDmAttrs {
    public static final Method METHOD = new Method(IoctlObject.DM, "UVERBS_METHOD_DM_FREE", 1);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_FREE_DM_HANDLE", 0);

    private FreeDmAttrs() {}
  }

  /**
   * UVERBS_METHOD_DM_MR_REG: registering device memory. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_reg_dm_mr_cmd_attr_ids}.
   */
  public static final class RegDmMrAttrs {
    public static final Method METHOD = new Method(IoctlObject.MR, "UVERBS_METHOD_DM_MR_REG", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_REG_DM_MR_HANDLE", 0);
    public static final Attribute OFFSET = METHOD.attribute("UVERBS_ATTR_REG_DM_MR_OFFSET", 1);
    public static final Attribute LENGTH = METHOD.attribute("UVERBS_ATTR_REG_DM_MR_LENGTH", 2);
    public static final Attribute PD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_REG_DM_MR_PD_HANDLE", 3);
    public static final Attribute ACCESS_FLAGS =
        METHOD.attribute("UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS", 4);
    public static final Attribute DM_HANDLE =
        METHOD.attribute("UVERBS_ATTR_REG_DM_MR_DM_HANDLE", 5);
    public static final Attribute RESP_LKEY =
        METHOD.attribute("UVERBS_ATTR_REG_DM_MR_RESP_LKEY", 6);
    public static final Attribute RESP_RKEY =
        METHOD.attribute("UVERBS_ATTR_REG_DM_MR_RESP_RKEY", 7);

    private RegDmMrAttrs() {}
  }

  /**
   * UVERBS_METHOD_REG_DMABUF_MR: registering a DMA-BUF. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_reg_dmabuf_mr_cmd_attr_ids}.
   */
  public static final class RegDmabufMrAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.MR, "UVERBS_METHOD_REG_DMABUF_MR", 4);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_HANDLE", 0);
    public static final Attribute PD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE", 1);
    public static final Attribute OFFSET = METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_OFFSET", 2);
    public static final Attribute LENGTH = METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_LENGTH", 3);
    public static final Attribute IOVA = METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_IOVA", 4);
    public static final Attribute FD = METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_FD", 5);
    public static final Attribute ACCESS_FLAGS =
        METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS", 6);
    public static final Attribute RESP_LKEY =
        METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY", 7);
    public static final Attribute RESP_RKEY =
        METHOD.attribute("UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY", 8);

    private RegDmabufMrAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DM_QUERY: where device memory is mapped. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_query_dm_attrs}.
   */
  public static final class QueryDmAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DM, "MLX5_IB_METHOD_DM_QUERY", 0x1001);
    public static final Attribute REQ_HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE", 0x1000);
    public static final Attribute RESP_START_OFFSET =
        METHOD.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET", 0x1001);
    public static final Attribute RESP_PAGE_INDEX =
        METHOD.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX", 0x1002);
    public static final Attribute RESP_LENGTH =
        METHOD.attribute("MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH", 0x1003);

    private QueryDmAttrs() {}
  }

  /**
   * MLX5_IB_METHOD_DM_MAP_OP_ADDR: mapping an operation on device memory. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_dm_map_op_addr_attrs}.
   */
  public static final class DmMapOpAddrAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DM, "MLX5_IB_METHOD_DM_MAP_OP_ADDR", 0x1000);
    public static final Attribute REQ_HANDLE =
        METHOD.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE", 0x1000);
    public static final Attribute REQ_OP =
        METHOD.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP", 0x1001);
    public static final Attribute RESP_START_OFFSET =
        METHOD.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET", 0x1002);
    public static final Attribute RESP_PAGE_INDEX =
        METHOD.attribute("MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX", 0x1003);

    private DmMapOpAddrAttrs() {}
  }

  private MrAbi() {}
}
