package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Protection domains, address handles and XRC domains. */
public final class PdAbi {
  /** Input of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd}. */
  public static final class AllocPd {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_alloc_pd", 8);

    public static final Field RESPONSE = D.u64("response", 0);

    public static final Structure STRUCTURE = D.structure();

    private AllocPd() {}
  }

  /** Output of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd_resp}. */
  public static final class AllocPdResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_alloc_pd_resp", 4);

    public static final Field PD_HANDLE = D.u32("pd_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private AllocPdResp() {}
  }

  /** The driver's output of ALLOC_PD. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_pd_resp}. */
  public static final class Mlx5AllocPdResp {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_alloc_pd_resp", 4);

    public static final Field PDN = D.u32("pdn", 0);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5AllocPdResp() {}
  }

  /** Input of DEALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_pd}. */
  public static final class DeallocPd {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_dealloc_pd", 4);

    public static final Field PD_HANDLE = D.u32("pd_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private DeallocPd() {}
  }

  /**
   * MLX5_IB_METHOD_PD_QUERY: the number of a PD on the device. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_query_pd_attrs}.
   */
  public static final class QueryPdAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.PD, "MLX5_IB_METHOD_PD_QUERY", 0x1000);

    public static final Attribute HANDLE = D.attribute("MLX5_IB_ATTR_QUERY_PD_HANDLE", 0x1000);
    public static final Attribute RESP_PDN = D.attribute("MLX5_IB_ATTR_QUERY_PD_RESP_PDN", 0x1001);

    public static final Method METHOD = D.method();

    private QueryPdAttrs() {}
  }

  /**
   * UVERBS_METHOD_PD_DESTROY: freeing a PD. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_pd_destroy_ids}.
   */
  public static final class DestroyPdAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.PD, "UVERBS_METHOD_PD_DESTROY", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_PD_HANDLE", 0);

    public static final Method METHOD = D.method();

    private DestroyPdAttrs() {}
  }

  /** Input of CREATE_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_ah}. */
  public static final class CreateAh {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_create_ah", 56);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field PD_HANDLE = D.u32("pd_handle", 16);
    public static final Area ATTR = D.struct("attr", 24, AhAttr.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private CreateAh() {}
  }

  /** Output of CREATE_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_ah_resp}. */
  public static final class CreateAhResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_create_ah_resp", 4);

    public static final Field AH_HANDLE = D.u32("ah_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private CreateAhResp() {}
  }

  /** The driver's output of CREATE_AH. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_ah_resp}. */
  public static final class Mlx5CreateAhResp {
    private static final Structure.Definition D =
        Structure.littleEndian("mlx5_ib_create_ah_resp", 16);

    public static final Field RESPONSE_LENGTH = D.u32("response_length", 0);
    public static final Field DMAC = D.bytes("dmac", 4, 6);

    public static final Structure STRUCTURE = D.structure();

    private Mlx5CreateAhResp() {}
  }

  /** The path in {@link CreateAh}. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ah_attr}. */
  public static final class AhAttr {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_ah_attr", 32);

    public static final Area GRH = D.struct("grh", 0, GlobalRoute.STRUCTURE);
    public static final Field DLID = D.u16("dlid", 24);
    public static final Field SL = D.u8("sl", 26);
    public static final Field IS_GLOBAL = D.u8("is_global", 29);
    public static final Field PORT_NUM = D.u8("port_num", 30);

    public static final Structure STRUCTURE = D.structure();

    private AhAttr() {}
  }

  /** The route in {@link AhAttr}. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_global_route}. */
  public static final class GlobalRoute {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_global_route", 24);

    public static final Field DGID = D.bytes("dgid", 0, 16);
    public static final Field SGID_INDEX = D.u8("sgid_index", 20);
    public static final Field HOP_LIMIT = D.u8("hop_limit", 21);
    public static final Field TRAFFIC_CLASS = D.u8("traffic_class", 22);

    public static final Structure STRUCTURE = D.structure();

    private GlobalRoute() {}
  }

  /** Input of DESTROY_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_ah}. */
  public static final class DestroyAh {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_destroy_ah", 4);

    public static final Field AH_HANDLE = D.u32("ah_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private DestroyAh() {}
  }

  /**
   * UVERBS_METHOD_AH_DESTROY: destroying an AH. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_ah_destroy_ids}.
   */
  public static final class DestroyAhAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.AH, "UVERBS_METHOD_AH_DESTROY", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_AH_HANDLE", 0);

    public static final Method METHOD = D.method();

    private DestroyAhAttrs() {}
  }

  /** Input of OPEN_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_xrcd}. */
  public static final class OpenXrcd {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_open_xrcd", 16);

    public static final Field RESPONSE = D.u64("response", 0);
    public static final Field FD = D.u32("fd", 8);
    public static final Field OFLAGS = D.u32("oflags", 12);

    public static final Structure STRUCTURE = D.structure();

    private OpenXrcd() {}
  }

  /** Output of OPEN_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_xrcd_resp}. */
  public static final class OpenXrcdResp {
    private static final Structure.Definition D =
        Structure.littleEndian("ib_uverbs_open_xrcd_resp", 4);

    public static final Field XRCD_HANDLE = D.u32("xrcd_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private OpenXrcdResp() {}
  }

  /** Input of CLOSE_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_close_xrcd}. */
  public static final class CloseXrcd {
    private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_close_xrcd", 4);

    public static final Field XRCD_HANDLE = D.u32("xrcd_handle", 0);

    public static final Structure STRUCTURE = D.structure();

    private CloseXrcd() {}
  }

  /**
   * UVERBS_METHOD_XRCD_DESTROY: closing an XRC domain. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_xrcd_destroy_ids}.
   */
  public static final class DestroyXrcdAttrs {
    private static final Method.Definition D =
        Method.define(IoctlObject.XRCD, "UVERBS_METHOD_XRCD_DESTROY", 0);

    public static final Attribute HANDLE = D.attribute("UVERBS_ATTR_DESTROY_XRCD_HANDLE", 0);

    public static final Method METHOD = D.method();

    private DestroyXrcdAttrs() {}
  }

  private PdAbi() {}
}
