package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;

/**
 * The remote access rights of a queue pair, converted between bits of {@link HcaAccess} and fields
 * of its context.
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
   * @param atomicMode the atomics that are allowed, if any
   */
  void set(View context, int rights, int atomicMode) {
    boolean atomic = (rights & HcaAccess.REMOTE_ATOMIC) != 0;
    context
        .set(reads, (rights & HcaAccess.REMOTE_READ) != 0)
        .set(writes, (rights & HcaAccess.REMOTE_WRITE) != 0)
        .set(atomics, atomic)
        .set(mode, atomic ? atomicMode : 0);
  }

  int get(View context) {
    return (context.isSet(reads) ? HcaAccess.REMOTE_READ : 0)
        | (context.isSet(writes) ? HcaAccess.REMOTE_WRITE : 0)
        | (context.isSet(atomics) ? HcaAccess.REMOTE_ATOMIC : 0);
  }
}
