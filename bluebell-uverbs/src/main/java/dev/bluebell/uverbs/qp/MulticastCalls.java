package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.QpAbi.AttachMcast;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.session.VportContext;

/**
 * The calls about multicast groups. Mirrors {@code ib_core verbs.c: ib_attach_mcast,
 * is_valid_mcast_lid} and {@code uverbs_cmd.c: ib_uverbs_attach_mcast}.
 */
public final class MulticastCalls {
  private MulticastCalls() {}

  /**
   * A multicast group, as the client names it.
   *
   * @param lid its LID; ignored on Ethernet
   */
  record Group(Gid gid, int lid) {}

  public static void attach(Session session, WriteCall call) {
    Qp qp = session.handles().find(Qp.class, call.in().getInt(AttachMcast.QP_HANDLE));
    Group group = group(call);
    boolean anyLid = !VportContext.isInfiniBand(session.hca());
    Refusal.require(
        anyLid || AddressVector.isGroup(group.lid),
        Errno.EINVAL,
        "LID 0x%x is not that of a group, which is 0xc000 to 0xfffe",
        group.lid);
    qp.attach(group);
  }

  /** Its input has the fields of {@link AttachMcast}. */
  public static void detach(Session session, WriteCall call) {
    session.handles().find(Qp.class, call.in().getInt(AttachMcast.QP_HANDLE)).detach(group(call));
  }

  private static Group group(WriteCall call) {
    return new Group(
        Gid.of(call.in().getBytes(AttachMcast.GID)), call.in().getInt(AttachMcast.MLID));
  }
}
