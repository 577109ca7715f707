package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.uverbs.cq.Cq;

/**
 * Selects the data that is placed in completions instead of memory. Mirrors {@code mlx5_ib qp.c:
 * create_user_qp, configure_requester_scat_cqe, create_dct}: received data of connections, if the
 * client's libmlx5 asks for it, as it does by default; fetched data, too, if all requests are
 * signalled or the client allows it. A target of dynamic connections does so only with CQEs of 128
 * bytes.
 *
 * @param answers cs_req
 * @param messages cs_res
 */
record ScatterToCqe(int answers, int messages) {
  private static final ScatterToCqe NONE = new ScatterToCqe(0, 0);

  static ScatterToCqe of(QpType type, int flags, boolean signalsAll, Cq sends, Cq receipts) {
    if ((flags & Mlx5.QP_FLAG_SCATTER_CQE) == 0) {
      return NONE;
    }
    boolean fetches =
        (type == QpType.RC || type == QpType.DCI)
            && (signalsAll || (flags & Mlx5.QP_FLAG_ALLOW_SCATTER_CQE) != 0);
    boolean receives = type == QpType.RC || type == QpType.UC;
    int answers = sends.hasLargeEntries() ? Qpc.CS_REQ_64 : Qpc.CS_REQ_32;
    int messages = receipts.hasLargeEntries() ? Qpc.CS_RES_64 : Qpc.CS_RES_32;
    return new ScatterToCqe(fetches ? answers : 0, receives ? messages : 0);
  }

  /** cs_res of a target of dynamic connections. */
  static int ofTarget(int flags, Cq receipts) {
    return (flags & Mlx5.QP_FLAG_SCATTER_CQE) != 0 && receipts.hasLargeEntries()
        ? Qpc.CS_RES_64
        : 0;
  }
}
