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
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_cq", 32);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field USER_HANDLE = D.u64("user_handle", 8);
    public static final Field CQE = D.u32("cqe", 16);
    public static final Field COMP_VECTOR = D.u32("comp_vector", 20);
    public static final Field COMP_CHANNEL = D.u32("comp_channel", 24);

    public static final Structure STRUCTURE = D.structure();

    private CreateCq() {}
  }

  /** Output of CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_cq_resp}. */
  public static final class CreateCqResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_create_cq_resp", 8);

    public static final Field CQ_HANDLE = D.u32("cq_handle", 0);
    public static final Field CQE = D.u32("cqe", 4);

    public static final Structure STRUCTURE = D.structure();

    private CreateCqResp() {}
  }

  /**
   * Input of the extended CREATE_CQ. A negative channel means none. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_ex_create_cq}.
   */
  public static final class ExCreateCq {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_ex_create_cq", 32);

    public static final Field USER_HANDLE = D.u64("user_handle", 0);
    public static final Field CQE = D.u32("cqe", 8);
    public static final Field COMP_VECTOR = D.u32("comp_vector", 12);
    public static final Field COMP_CHANNEL = D.u32("comp_channel", 16);
    public static final Field COMP_MASK = D.u32("comp_mask", 20);
    public static final Field FLAGS = D.u32("flags", 24);
    public static final Field RESERVED = D.u32("reserved", 28);

    public static final Structure STRUCTURE = D.structure();

    private ExCreateCq() {}
  }

  /**
   * Output of the extended CREATE_CQ. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_ex_create_cq_resp}.
   */
  public static final class ExCreateCqResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_ex_create_cq_resp", 16);

    public static final Area BASE = D.struct("base", 0, CreateCqResp.STRUCTURE);
    public static final Field RESPONSE_LENGTH = D.u32("response_length", 12);

    public static final Structure STRUCTURE = D.structure();

    private ExCreateCqResp() {}
  }

  /**
   * UVERBS_METHOD_CQ_CREATE: creating a CQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_create_cq_cmd_attr_ids}.
   */
  public static final class CreateCqAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.CQ, "UVERBS_METHOD_CQ_CREATE", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_CREATE_CQ_HANDLE", 0);
    public static final Attribute CQE = D.attribute("UVERBS_ATTR_CREATE_CQ_CQE", 1);
    public static final Attribute USER_HANDLE = D.attribute("UVERBS_ATTR_CREATE_CQ_USER_HANDLE", 2);
    public static final Attribute COMP_CHANNEL =
        D.attribute("UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", 3);
    public static final Attribute COMP_VECTOR = D.attribute("UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", 4);
    public static final Attribute FLAGS = D.attribute("UVERBS_ATTR_CREATE_CQ_FLAGS", 5);
    public static final Attribute RESP_CQE = D.attribute("UVERBS_ATTR_CREATE_CQ_RESP_CQE", 6);
    public static final Attribute EVENT_FD = D.attribute("UVERBS_ATTR_CREATE_CQ_EVENT_FD", 7);
    public static final Attribute UHW_IN = D.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = D.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    public static final Method METHOD = D.method();

    private CreateCqAttrs() {}
  }

  /** The driver's input of CREATE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_cq}. */
  public static final class Mlx5CreateCq {
    private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_create_cq", 32);

    public static final Field BUF_ADDR = D.u64("buf_addr", 0);
    public static final Field DB_ADDR = D.u64("db_addr", 8);
    public static final Field CQE_SIZE = D.u32("cqe_size", 16);
    public static final Field CQE_COMP_EN = D.u8("cqe_comp_en", 20);
    public static final Field CQE_COMP_RES_FORMAT = D.u8("cqe_comp_res_format", 21);
    public static final Field FLAGS = D.u16("flags", 22);
    public static final Field UAR_PAGE_INDEX = D.u16("uar_page_index", 24);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5CreateCq() {}
  }

  /** The driver's output of CREATE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_cq_resp}. */
  public static final class Mlx5CreateCqResp {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_create_cq_resp", 8);

    public static final Field CQN = D.u32("cqn", 0);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5CreateCqResp() {}
  }

  /**
   * Input of the extended MODIFY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_modify_cq}.
   */
  public static final class ExModifyCq {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_ex_modify_cq", 16);

    public static final Field CQ_HANDLE = D.u32("cq_handle", 0);
    public static final Field ATTR_MASK = D.u32("attr_mask", 4);
    public static final Area ATTR = D.struct("attr", 8, CqModeration.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private ExModifyCq() {}
  }

  /**
   * When a CQ raises events, in {@link ExModifyCq}. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_cq_moderation}.
   */
  public static final class CqModeration {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_cq_moderation", 4);

    public static final Field CQ_COUNT = D.u16("cq_count", 0);
    public static final Field CQ_PERIOD = D.u16("cq_period", 2);

    public static final Structure STRUCTURE = D.structure();

    private CqModeration() {}
  }

  /** Input of RESIZE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_resize_cq}. */
  public static final class ResizeCq {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_resize_cq", 16);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field CQ_HANDLE = D.u32("cq_handle", 8);
    public static final Field CQE = D.u32("cqe", 12);

    public static final Structure STRUCTURE = D.structure();

    private ResizeCq() {}
  }

  /** Output of RESIZE_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_resize_cq_resp}. */
  public static final class ResizeCqResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_resize_cq_resp", 8);

    public static final Field CQE = D.u32("cqe", 0);

    public static final Structure STRUCTURE = D.structure();

    private ResizeCqResp() {}
  }

  /** The driver's input of RESIZE_CQ. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_resize_cq}. */
  public static final class Mlx5ResizeCq {
    private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_resize_cq", 16);

    public static final Field BUF_ADDR = D.u64("buf_addr", 0);
    public static final Field CQE_SIZE = D.u16("cqe_size", 8);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5ResizeCq() {}
  }

  /** Input of DESTROY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_cq}. */
  public static final class DestroyCq {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_destroy_cq", 16);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field CQ_HANDLE = D.u32("cq_handle", 8);

    public static final Structure STRUCTURE = D.structure();

    private DestroyCq() {}
  }

  /** Output of DESTROY_CQ. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_cq_resp}. */
  public static final class DestroyCqResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_destroy_cq_resp", 8);

    public static final Field COMP_EVENTS_REPORTED = D.u32("comp_events_reported", 0);
    public static final Field ASYNC_EVENTS_REPORTED = D.u32("async_events_reported", 4);

    public static final Structure STRUCTURE = D.structure();

    private DestroyCqResp() {}
  }

  /**
   * UVERBS_METHOD_CQ_DESTROY: destroying a CQ. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_destroy_cq_cmd_attr_ids}.
   */
  public static final class DestroyCqAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.CQ, "UVERBS_METHOD_CQ_DESTROY", 1);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_CQ_HANDLE", 0);
    public static final Attribute RESP = D.attribute("UVERBS_ATTR_DESTROY_CQ_RESP", 1);

    public static final Method METHOD = D.method();

    private DestroyCqAttrs() {}
  }

  private CqAbi() {}
}
