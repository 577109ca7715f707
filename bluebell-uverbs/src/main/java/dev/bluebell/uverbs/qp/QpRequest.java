package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.QpCap;
import dev.bluebell.hca.uverbs.Verbs;
import java.util.OptionalInt;

/**
 * A request to create a QP, in any form of the call.
 *
 * @param number ib_uverbs_qp_type
 * @param pd handle of the protection domain; that of the XRC domain for an XRC target
 * @param sendCq handle of the completion queue of requests, if it sends
 * @param receiveCq handle of the completion queue of receives, if it receives
 * @param srq handle of the shared receive queue, if it has one
 * @param capabilities {@link QpCap}
 * @param flags ib_uverbs_qp_create_flags, without that for {@code signalsAll}
 * @param events descriptor of the file for asynchronous events; -1 for the context's first
 * @param driver {@link Mlx5CreateQp}
 */
record QpRequest(
    long userHandle,
    int number,
    int pd,
    OptionalInt sendCq,
    OptionalInt receiveCq,
    OptionalInt srq,
    View capabilities,
    boolean signalsAll,
    int flags,
    int events,
    View driver) {

  /** True for a DC target, which has no queues of its own. */
  static boolean isTarget(int number, View driver) {
    return number == Verbs.QPT_DRIVER
        && (driver.getInt(Mlx5CreateQp.FLAGS) & Mlx5.QP_FLAG_TYPE_DCT) != 0;
  }

  /** The type of the queue pair; throws for unsupported types. */
  QpType type() {
    return QpType.of(number, driverFlags());
  }

  /** Flags of {@link Mlx5CreateQp}. */
  int driverFlags() {
    return driver.getInt(Mlx5CreateQp.FLAGS);
  }

  /** The index by which completions identify the queue pair. */
  int userIndex() {
    return driver.getInt(Mlx5CreateQp.UIDX) & 0xffffff;
  }
}
