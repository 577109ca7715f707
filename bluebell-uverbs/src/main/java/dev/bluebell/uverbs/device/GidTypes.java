package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.session.VportContext;

/** Types of the entries of the GID table. */
public final class GidTypes {
  private GidTypes() {}

  /** Type of an entry, as {@code ib_user_ioctl_verbs.h: ib_uverbs_gid_type} numbers them. */
  static int of(Hca hca, int index) {
    if (VportContext.isInfiniBand(hca)) {
      return Verbs.GID_TYPE_IB;
    }
    return hca.isRoceV2(VportContext.PORT, index) ? Verbs.GID_TYPE_ROCE_V2 : Verbs.GID_TYPE_ROCE_V1;
  }

  /** True for an entry of an Ethernet port whose packets are of RoCE v2. */
  public static boolean isRoceV2(Hca hca, int index) {
    return of(hca, index) == Verbs.GID_TYPE_ROCE_V2;
  }

  /** The same as in {@code gid_attrs/types} of sysfs, {@code ib_core cache.c: gid_type_str}. */
  public static String name(Hca hca, int index) {
    return isRoceV2(hca, index) ? "RoCE v2" : "IB/RoCE v1";
  }
}
