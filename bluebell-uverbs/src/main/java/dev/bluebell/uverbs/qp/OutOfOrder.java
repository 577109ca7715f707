package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.Capabilities;
import java.util.stream.Stream;

/**
 * Support for out-of-order data placement, by type of queue pair. Mirrors {@code mlx5_ib qp.c:
 * get_dp_ooo_cap}, of Linux 6.13 and later.
 */
public final class OutOfOrder {
  private OutOfOrder() {}

  /** True when at least one type of queue pair supports it. */
  public static boolean isOffered(Hca hca) {
    return isForced(hca)
        && Stream.of(QpType.values()).anyMatch(type -> isOffered(Capabilities.general(hca), type));
  }

  /** Rejects a type without support. */
  static void require(Hca hca, QpType type) {
    Refusal.require(
        isForced(hca) && isOffered(Capabilities.general(hca), type),
        Errno.EOPNOTSUPP,
        "the device does not place data of %s out of order",
        type);
  }

  private static boolean isForced(Hca hca) {
    return Capabilities.generalSecond(hca).isSet(CmdHcaCap2.DP_ORDERING_FORCE);
  }

  private static boolean isOffered(View cap, QpType type) {
    Field claim =
        switch (type) {
          case RC -> CmdHcaCap.DP_ORDERING_OOO_ALL_RC;
          case UC -> CmdHcaCap.DP_ORDERING_OOO_ALL_UC;
          case UD -> CmdHcaCap.DP_ORDERING_OOO_ALL_UD;
          case XRC_INI, XRC_TGT -> CmdHcaCap.DP_ORDERING_OOO_ALL_XRC;
          case DCI -> CmdHcaCap.DP_ORDERING_OOO_ALL_DC;
        };
    return cap.isSet(claim);
  }
}
