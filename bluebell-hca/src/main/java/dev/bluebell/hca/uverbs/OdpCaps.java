package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * On-demand paging in {@link ExQueryDeviceResp}. Mirrors {@code rdma/ib_user_verbs.h:
 * ib_uverbs_odp_caps}.
 */
public final class OdpCaps {
  private static final Structure.Definition D = Structure.littleEndian("ib_uverbs_odp_caps", 24);

  public static final Field GENERAL_CAPS = D.u64("general_caps", 0);
  public static final Field RC_ODP_CAPS = D.u32("per_transport_caps.rc_odp_caps", 8);
  public static final Field UC_ODP_CAPS = D.u32("per_transport_caps.uc_odp_caps", 12);
  public static final Field UD_ODP_CAPS = D.u32("per_transport_caps.ud_odp_caps", 16);

  public static final Structure STRUCTURE = D.structure();

  private OdpCaps() {}
}
