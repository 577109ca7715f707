package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Protection domains, address handles and XRC domains. */
public final class PdAbi {
  /** Input of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd}. */
  public static final class AllocPd {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_alloc_pd", 8);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);

    private AllocPd() {}
  }

  /** Output of ALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_alloc_pd_resp}. */
  public static final class AllocPdResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_alloc_pd_resp", 4);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 0);

    private AllocPdResp() {}
  }

  /** The driver's output of ALLOC_PD. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_alloc_pd_resp}. */
  public static final class Mlx5AllocPdResp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_alloc_pd_resp", 4);
    public static final Field PDN = STRUCTURE.u32("pdn", 0);

    private Mlx5AllocPdResp() {}
  }

  /** Input of DEALLOC_PD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_dealloc_pd}. */
  public static final class DeallocPd {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_dealloc_pd", 4);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 0);

    private DeallocPd() {}
  }

  /**
   * MLX5_IB_METHOD_PD_QUERY: the number of a PD on the device. Mirrors {@code
   * rdma/mlx5_user_ioctl_cmds.h: mlx5_ib_query_pd_attrs}.
   */
  public static final class QueryPdAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.PD, "MLX5_IB_METHOD_PD_QUERY", 0x1000);
    public static final Attribute HANDLE = METHOD.attribute("MLX5_IB_ATTR_QUERY_PD_HANDLE", 0x1000);
    public static final Attribute RESP_PDN =
        METHOD.attribute("MLX5_IB_ATTR_QUERY_PD_RESP_PDN", 0x1001);

    private QueryPdAttrs() {}
  }

  /**
   * UVERBS_METHOD_PD_DESTROY: freeing a PD. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_pd_destroy_ids}.
   */
  public static final class DestroyPdAttrs {
    public static final Method METHOD = new Method(IoctlObject.PD, "UVERBS_METHOD_PD_DESTROY", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_PD_HANDLE", 0);

    private DestroyPdAttrs() {}
  }

  /** Input of CREATE_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_ah}. */
  public static final class CreateAh {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_ah", 56);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field PD_HANDLE = STRUCTURE.u32("pd_handle", 16);
    public static final Area ATTR = STRUCTURE.struct("attr", 24, AhAttr.STRUCTURE);

    private CreateAh() {}
  }

  /** Output of CREATE_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_create_ah_resp}. */
  public static final class CreateAhResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_create_ah_resp", 4);
    public static final Field AH_HANDLE = STRUCTURE.u32("ah_handle", 0);

    private CreateAhResp() {}
  }

  /** The driver's output of CREATE_AH. Mirrors {@code rdma/mlx5-abi.h: mlx5_ib_create_ah_resp}. */
  public static final class Mlx5CreateAhResp {
    public static final Structure STRUCTURE = Structure.littleEndian("mlx5_ib_create_ah_resp", 16);
    public static final Field RESPONSE_LENGTH = STRUCTURE.u32("response_length", 0);
    public static final Field DMAC = STRUCTURE.bytes("dmac", 4, 6);

    private Mlx5CreateAhResp() {}
  }

  /** The path in {@link CreateAh}. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ah_attr}. */
  public static final class AhAttr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_ah_attr", 32);
    public static final Area GRH = STRUCTURE.struct("grh", 0, GlobalRoute.STRUCTURE);
    public static final Field DLID = STRUCTURE.u16("dlid", 24);
    public static final Field SL = STRUCTURE.u8("sl", 26);
    public static final Field IS_GLOBAL = STRUCTURE.u8("is_global", 29);
    public static final Field PORT_NUM = STRUCTURE.u8("port_num", 30);

    private AhAttr() {}
  }

  /** The route in {@link AhAttr}. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_global_route}. */
  public static final class GlobalRoute {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_global_route", 24);
    public static final Field DGID = STRUCTURE.bytes("dgid", 0, 16);
    public static final Field SGID_INDEX = STRUCTURE.u8("sgid_index", 20);
    public static final Field HOP_LIMIT = STRUCTURE.u8("hop_limit", 21);
    public static final Field TRAFFIC_CLASS = STRUCTURE.u8("traffic_class", 22);

    private GlobalRoute() {}
  }

  /** Input of DESTROY_AH. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_destroy_ah}. */
  public static final class DestroyAh {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_destroy_ah", 4);
    public static final Field AH_HANDLE = STRUCTURE.u32("ah_handle", 0);

    private DestroyAh() {}
  }

  /**
   * UVERBS_METHOD_AH_DESTROY: destroying an AH. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_ah_destroy_ids}.
   */
  public static final class DestroyAhAttrs {
    public static final Method METHOD = new Method(IoctlObject.AH, "UVERBS_METHOD_AH_DESTROY", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_AH_HANDLE", 0);

    private DestroyAhAttrs() {}
  }

  /** Input of OPEN_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_xrcd}. */
  public static final class OpenXrcd {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_open_xrcd", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field FD = STRUCTURE.u32("fd", 8);
    public static final Field OFLAGS = STRUCTURE.u32("oflags", 12);

    private OpenXrcd() {}
  }

  /** Output of OPEN_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_open_xrcd_resp}. */
  public static final class OpenXrcdResp {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_open_xrcd_resp", 4);
    public static final Field XRCD_HANDLE = STRUCTURE.u32("xrcd_handle", 0);

    private OpenXrcdResp() {}
  }

  /** Input of CLOSE_XRCD. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_close_xrcd}. */
  public static final class CloseXrcd {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_close_xrcd", 4);
    public static final Field XRCD_HANDLE = STRUCTURE.u32("xrcd_handle", 0);

    private CloseXrcd() {}
  }

  /**
   * UVERBS_METHOD_XRCD_DESTROY: closing an XRC domain. Mirrors {@code rdma/ib_user_ioctl_cmds.h:
   * uverbs_attrs_xrcd_destroy_ids}.
   */
  public static final class DestroyXrcdAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.XRCD, "UVERBS_METHOD_XRCD_DESTROY", 0);
    public static final Attribute HANDLE = METHOD.attribute("UVERBS_ATTR_DESTROY_XRCD_HANDLE", 0);

    private DestroyXrcdAttrs() {}
  }

  private PdAbi() {}
}
