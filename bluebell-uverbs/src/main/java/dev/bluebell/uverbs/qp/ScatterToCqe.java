package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.uverbs.abi.Mlx5;
import dev.bluebell.uverbs.cq.Cq;

/**
 * Which data goes into completions instead of into memory. Mirrors {@code mlx5_ib qp.c:
 * create_user_qp, configure_requester_scat_cqe}: what is received on connections, when the
 * program's libmlx5 asks, which it does unless it is told not to; what is fetched, too, when all
 * requests are signalled or the program allows it.
 *
 * @param answers cs_req
 * @param messages cs_res
 */
record ScatterToCqe(int answers, int messages) {
  private static final ScatterToCqe NONE = new ScatterToCqe(0, 0);

  static ScatterToCqe of(QpType type, int flags, boolean signalsAll, Cq sends, Cq receives) {
    boolean connected = type == QpType.RC || type == QpType.UC;
    if ((flags & Mlx5.QP_FLAG_SCATTER_CQE) == 0 || !connected) {
      return NONE;
    }
    boolean fetches =
        type == QpType.RC && (signalsAll || (flags & Mlx5.QP_FLAG_ALLOW_SCATTER_CQE) != 0);
    int answers = sends.hasLargeEntries() ? Qpc.CS_REQ_64 : Qpc.CS_REQ_32;
    return new ScatterToCqe(
        fetches ? answers : 0, receives.hasLargeEntries() ? Qpc.CS_RES_64 : Qpc.CS_RES_32);
  }
}
