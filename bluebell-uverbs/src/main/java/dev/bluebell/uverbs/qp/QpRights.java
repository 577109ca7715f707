package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;

/**
 * What peers may do with a queue pair, in its context: bits of {@link HcaAccess} in one direction,
 * fields in the other.
 *
 * @param reads rre
 * @param writes rwe
 * @param atomics rae
 * @param mode atomic_mode
 */
record QpRights(Field reads, Field writes, Field atomics, Field mode) {
  static final QpRights OF_QP = new QpRights(Qpc.RRE, Qpc.RWE, Qpc.RAE, Qpc.ATOMIC_MODE);
  static final QpRights OF_DCT = new QpRights(Dctc.RRE, Dctc.RWE, Dctc.RAE, Dctc.ATOMIC_MODE);

  /**
   * Writes rights.
   *
   * @param atomicMode which atomics are allowed, if any are
   */
  void set(View context, int rights, int atomicMode) {
    boolean atomic = (rights & HcaAccess.REMOTE_ATOMIC) != 0;
    context
        .set(reads, (rights & HcaAccess.REMOTE_READ) != 0)
        .set(writes, (rights & HcaAccess.REMOTE_WRITE) != 0)
        .set(atomics, atomic)
        .set(mode, atomic ? atomicMode : 0);
  }

  /** Reads rights. */
  int get(View context) {
    return (context.isSet(reads) ? HcaAccess.REMOTE_READ : 0)
        | (context.isSet(writes) ? HcaAccess.REMOTE_WRITE : 0)
        | (context.isSet(atomics) ? HcaAccess.REMOTE_ATOMIC : 0);
  }
}
