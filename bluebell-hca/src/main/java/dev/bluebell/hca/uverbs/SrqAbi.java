package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Shared receive queues. */
public final class SrqAbi {
  /** Input of CREATE_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_srq}. */
  public static final class CreateSrq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_srq", 32);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 8);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 16);
    public static final Field MAX_WR = STRUCTURE.u32("max_wr", 20);
    public static final Field MAX_SGE = STRUCTURE.u32("max_sge", 24);
    public static final Field SRQ_LIMIT = STRUCTURE.u32("srq_limit", 28);

    private CreateSrq() {}
  }

  /**
   * Output of CREATE_SRQ and CREATE_XSRQ. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_create_srq_resp}.
   */
  public static final class CreateSrqResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_create_srq_resp", 16);
    public static final Field SRQ_HANDLE = STRUCTURE.u32("srq_handle", 0);
    public static final Field MAX_WR = STRUCTURE.u32("max_wr", 4);
    public static final Field MAX_SGE = STRUCTURE.u32("max_sge", 8);
    public static final Field SRQN = STRUCTURE.u32("srqn", 12);

    private CreateSrqResp() {}
  }

  /** Input of CREATE_XSRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_xsrq}. */
  public static final class CreateXsrq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_xsrq", 48);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 8);
    public static final Field SRQ_TYPE = STRUCTURE.u32("srq_type", 16);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 20);
    public static final Field MAX_WR = STRUCTURE.u32("max_wr", 24);
    public static final Field MAX_SGE = STRUCTURE.u32("max_sge", 28);
    public static final Field SRQ_LIMIT = STRUCTURE.u32("srq_limit", 32);
    public static final Field MAX_NUM_TAGS = STRUCTURE.u32("max_num_tags", 36);
    public static final Field XRCD_HANDLE = STRUCTURE.u32("xrcd_handle", 40);
    public static final Field CQ_HANDLE = STRUCTURE.u32("cq_handle", 44);

    private CreateXsrq() {}
  }

  /**
   * UVERBS_METHOD_SRQ_CREATE: creating an SRQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_create_srq_cmd_attr_ids}.
   */
  public static final class CreateSrqAttrs {
    public static final Method METHOD = new Method(IoctlObject.SRQ, "UVERBS_METHOD_SRQ_CREATE", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_HANDLE", 0);
    public static final Attribute PD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_PD_HANDLE", 1);
    public static final Attribute XRCD_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE", 2);
    public static final Attribute CQ_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE", 3);
    public static final Attribute USER_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_USER_HANDLE", 4);
    public static final Attribute MAX_WR = METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_MAX_WR", 5);
    public static final Attribute MAX_SGE = METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_MAX_SGE", 6);
    public static final Attribute LIMIT = METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_LIMIT", 7);
    public static final Attribute MAX_NUM_TAGS =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS", 8);
    public static final Attribute TYPE = METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_TYPE", 9);
    public static final Attribute EVENT_FD =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_EVENT_FD", 10);
    public static final Attribute RESP_MAX_WR =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR", 11);
    public static final Attribute RESP_MAX_SGE =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE", 12);
    public static final Attribute RESP_SRQ_NUM =
        METHOD.attribute("UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM", 13);
    public static final Attribute UHW_IN = METHOD.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = METHOD.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    private CreateSrqAttrs() {}
  }

  /** The driver's input of CREATE_SRQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_srq}. */
  public static final class Mlx5CreateSrq {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_srq", 32);
    public static final Field BUF_ADDR = STRUCTURE.u64("buf_addr", 0);
    public static final Field DB_ADDR = STRUCTURE.u64("db_addr", 8);
    public static final Field FLAGS = STRUCTURE.u32("flags", 16);
    public static final Field UIDX = STRUCTURE.u32("uidx", 24);

    private Mlx5CreateSrq() {}
  }

  /**
   * The driver's output of CREATE_SRQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_srq_resp}.
   */
  public static final class Mlx5CreateSrqResp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_srq_resp", 8);
    public static final Field SRQN = STRUCTURE.u32("srqn", 0);

    private Mlx5CreateSrqResp() {}
  }

  /** Input of MODIFY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_modify_srq}. */
  public static final class ModifySrq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_modify_srq", 16);
    public static final Field SRQ_HANDLE = STRUCTURE.u32("srq_handle", 0);
    public static final Field ATTR_MASK = STRUCTURE.u32("attr_mask", 4);
    public static final Field SRQ_LIMIT = STRUCTURE.u32("srq_limit", 12);

    private ModifySrq() {}
  }

  /** Input of QUERY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_srq}. */
  public static final class QuerySrq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_query_srq", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field SRQ_HANDLE = STRUCTURE.u32("srq_handle", 8);

    private QuerySrq() {}
  }

  /** Output of QUERY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_query_srq_resp}. */
  public static final class QuerySrqResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_query_srq_resp", 16);
    public static final Field MAX_WR = STRUCTURE.u32("max_wr", 0);
    public static final Field MAX_SGE = STRUCTURE.u32("max_sge", 4);
    public static final Field SRQ_LIMIT = STRUCTURE.u32("srq_limit", 8);

    private QuerySrqResp() {}
  }

  /** Input of DESTROY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_srq}. */
  public static final class DestroySrq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_destroy_srq", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field SRQ_HANDLE = STRUCTURE.u32("srq_handle", 8);

    private DestroySrq() {}
  }

  /** Output of DESTROY_SRQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_srq_resp}. */
  public static final class DestroySrqResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_destroy_srq_resp", 4);
    public static final Field EVENTS_REPORTED = STRUCTURE.u32("events_reported", 0);

    private DestroySrqResp() {}
  }

  /**
   * UVERBS_METHOD_SRQ_DESTROY: destroying an SRQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_destroy_srq_cmd_attr_ids}.
   */
  public static final class DestroySrqAttrs {
    public static final Method METHOD = new Method(IoctlObject.SRQ, "UVERBS_METHOD_SRQ_DESTROY", 1);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_SRQ_HANDLE", 0);
    public static final Attribute RESP = METHOD.attribute("UVERBS_ATTR_DESTROY_SRQ_RESP", 1);

    private DestroySrqAttrs() {}
  }

  private SrqAbi() {}
}
