package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Output of the extended QUERY_DEVICE. The clock is in kHz. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_ex_query_device_resp}.
 */
public final class ExQueryDeviceResp {
  private static final Structure.Definition D =
      Structure.littleEndian("ib_uverbs_ex_query_device_resp", 304);

  public static final Area BASE = D.struct("base", 0, QueryDeviceResp.STRUCTURE);
  public static final Field COMP_MASK = D.u32("comp_mask", 176);
  public static final Field RESPONSE_LENGTH = D.u32("response_length", 180);
  public static final Area ODP_CAPS = D.struct("odp_caps", 184, OdpCaps.STRUCTURE);
  public static final Field TIMESTAMP_MASK = D.u64("timestamp_mask", 208);
  public static final Field HCA_CORE_CLOCK = D.u64("hca_core_clock", 216);
  public static final Field DEVICE_CAP_FLAGS_EX = D.u64("device_cap_flags_ex", 224);
  public static final Field MAX_WQ_TYPE_RQ = D.u32("max_wq_type_rq", 248);
  public static final Field RAW_PACKET_CAPS = D.u32("raw_packet_caps", 252);
  public static final Area TM_CAPS = D.struct("tm_caps", 256, TmCaps.STRUCTURE);
  public static final Area CQ_MODERATION_CAPS =
      D.struct("cq_moderation_caps", 280, CqModerationCaps.STRUCTURE);
  public static final Field MAX_DM_SIZE = D.u64("max_dm_size", 288);
  public static final Field XRC_ODP_CAPS = D.u32("xrc_odp_caps", 296);

  public static final Structure STRUCTURE = D.structure();

  private ExQueryDeviceResp() {}
}
