package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Completion queues. */
public final class CqAbi {
  /**
   * Input of CREATE_CQ. A negative channel means none. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_create_cq}.
   */
  public static final class CreateCq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_cq", 32);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 8);
    public static final Field CQE = STRUCTURE.u32("cqe", 16);
    public static final Field COMP_VECTOR = STRUCTURE.u32("comp_vector", 20);
    public static final Field COMP_CHANNEL = STRUCTURE.u32("comp_channel", 24);

    private CreateCq() {}
  }

  /** Output of CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_cq_resp}. */
  public static final class CreateCqResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_cq_resp", 8);
    public static final Field CQ_HANDLE = STRUCTURE.u32("cq_handle", 0);
    public static final Field CQE = STRUCTURE.u32("cqe", 4);

    private CreateCqResp() {}
  }

  /**
   * Input of the extended CREATE_CQ. A negative channel means none. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_ex_create_cq}.
   */
  public static final class ExCreateCq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_ex_create_cq", 32);
    public static final Field USER_HANDLE = STRUCTURE.u64("user_handle", 0);
    public static final Field CQE = STRUCTURE.u32("cqe", 8);
    public static final Field COMP_VECTOR = STRUCTURE.u32("comp_vector", 12);
    public static final Field COMP_CHANNEL = STRUCTURE.u32("comp_channel", 16);
    public static final Field COMP_MASK = STRUCTURE.u32("comp_mask", 20);
    public static final Field FLAGS = STRUCTURE.u32("flags", 24);
    public static final Field RESERVED = STRUCTURE.u32("reserved", 28);

    private ExCreateCq() {}
  }

  /**
   * Output of the extended CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_create_cq_resp}.
   */
  public static final class ExCreateCqResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_ex_create_cq_resp", 16);
    public static final Area BASE = STRUCTURE.struct("base", 0, CreateCqResp.STRUCTURE);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 12);

    private ExCreateCqResp() {}
  }

  /**
   * UVERBS_METHOD_CQ_CREATE: creating a CQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_create_cq_cmd_attr_ids}.
   */
  public static final class CreateCqAttrs {
    public static final Method METHOD = new Method(IoctlObject.CQ, "UVERBS_METHOD_CQ_CREATE", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_CREATE_CQ_HANDLE", 0);
    public static final Attribute CQE = METHOD.attribute("UVERBS_ATTR_CREATE_CQ_CQE", 1);
    public static final Attribute USER_HANDLE =
        METHOD.attribute("UVERBS_ATTR_CREATE_CQ_USER_HANDLE", 2);
    public static final Attribute COMP_CHANNEL =
        METHOD.attribute("UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", 3);
    public static final Attribute COMP_VECTOR =
        METHOD.attribute("UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", 4);
    public static final Attribute FLAGS = METHOD.attribute("UVERBS_ATTR_CREATE_CQ_FLAGS", 5);
    public static final Attribute RESP_CQE = METHOD.attribute("UVERBS_ATTR_CREATE_CQ_RESP_CQE", 6);
    public static final Attribute EVENT_FD = METHOD.attribute("UVERBS_ATTR_CREATE_CQ_EVENT_FD", 7);
    public static final Attribute UHW_IN = METHOD.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = METHOD.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    private CreateCqAttrs() {}
  }

  /** The driver's input of CREATE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_cq}. */
  public static final class Mlx5CreateCq {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_cq", 32);
    public static final Field BUF_ADDR = STRUCTURE.u64("buf_addr", 0);
    public static final Field DB_ADDR = STRUCTURE.u64("db_addr", 8);
    public static final Field CQE_SIZE = STRUCTURE.u32("cqe_size", 16);
    public static final Field CQE_COMP_EN = STRUCTURE.u8("cqe_comp_en", 20);
    public static final Field CQE_COMP_RES_FORMAT = STRUCTURE.u8("cqe_comp_res_format", 21);
    public static final Field FLAGS = STRUCTURE.u16("flags", 22);
    public static final Field UAR_PAGE_INDEX = STRUCTURE.u16("uar_page_index", 24);

    private Mlx5CreateCq() {}
  }

  /** The driver's output of CREATE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_cq_resp}. */
  public static final class Mlx5CreateCqResp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_cq_resp", 8);
    public static final Field CQN = STRUCTURE.u32("cqn", 0);

    private Mlx5CreateCqResp() {}
  }

  /**
   * Input of the extended MODIFY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_modify_cq}.
   */
  public static final class ExModifyCq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_ex_modify_cq", 16);
    public static final Field CQ_HANDLE = STRUCTURE.u32("cq_handle", 0);
    public static final Field ATTR_MASK = STRUCTURE.u32("attr_mask", 4);
    public static final Area ATTR = STRUCTURE.struct("attr", 8, CqModeration.STRUCTURE);

    private ExModifyCq() {}
  }

  /**
   * When a CQ raises events, in {@link ExModifyCq}. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_cq_moderation}.
   */
  public static final class CqModeration {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_cq_moderation", 4);
    public static final Field CQ_COUNT = STRUCTURE.u16("cq_count", 0);
    public static final Field CQ_PERIOD = STRUCTURE.u16("cq_period", 2);

    private CqModeration() {}
  }

  /** Input of RESIZE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_resize_cq}. */
  public static final class ResizeCq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_resize_cq", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field CQ_HANDLE = STRUCTURE.u32("cq_handle", 8);
    public static final Field CQE = STRUCTURE.u32("cqe", 12);

    private ResizeCq() {}
  }

  /** Output of RESIZE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_resize_cq_resp}. */
  public static final class ResizeCqResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_resize_cq_resp", 8);
    public static final Field CQE = STRUCTURE.u32("cqe", 0);

    private ResizeCqResp() {}
  }

  /** The driver's input of RESIZE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_resize_cq}. */
  public static final class Mlx5ResizeCq {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_resize_cq", 16);
    public static final Field BUF_ADDR = STRUCTURE.u64("buf_addr", 0);
    public static final Field CQE_SIZE = STRUCTURE.u16("cqe_size", 8);

    private Mlx5ResizeCq() {}
  }

  /** Input of DESTROY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_cq}. */
  public static final class DestroyCq {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_destroy_cq", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field CQ_HANDLE = STRUCTURE.u32("cq_handle", 8);

    private DestroyCq() {}
  }

  /** Output of DESTROY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_cq_resp}. */
  public static final class DestroyCqResp {
    public static final Structure STRUCTURE =
        Structure.littleEndian("ib_uverbs_destroy_cq_resp", 8);
    public static final Field COMP_EVENTS_REPORTED = STRUCTURE.u32("comp_events_reported", 0);
    public static final Field ASYNC_EVENTS_REPORTED = STRUCTURE.u32("async_events_reported", 4);

    private DestroyCqResp() {}
  }

  /**
   * UVERBS_METHOD_CQ_DESTROY: destroying a CQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_destroy_cq_cmd_attr_ids}.
   */
  public static final class DestroyCqAttrs {
    public static final Method METHOD = new Method(IoctlObject.CQ, "UVERBS_METHOD_CQ_DESTROY", 1);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_CQ_HANDLE", 0);
    public static final Attribute RESP = METHOD.attribute("UVERBS_ATTR_DESTROY_CQ_RESP", 1);

    private DestroyCqAttrs() {}
  }

  private CqAbi() {}
}
