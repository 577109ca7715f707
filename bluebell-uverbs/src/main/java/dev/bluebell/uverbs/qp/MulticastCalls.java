package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.QpAbi.AttachMcast;
import dev.bluebell.hca.uverbs.QpAbi.DetachMcast;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.session.VportContext;

/**
 * The calls about multicast groups. Mirrors {@code ib_core verbs.c: ib_attach_mcast,
 * is_valid_mcast_lid} and {@code uverbs_cmd.c: ib_uverbs_attach_mcast}.
 */
public final class MulticastCalls {
  private static final int FIRST_LID = 0xc000;
  private static final int LAST_LID = 0xfffe;

  private MulticastCalls() {}

  /**
   * A multicast group, as the client names it.
   *
   * @param lid its LID; ignored on Ethernet
   */
  record Group(Gid gid, int lid) {}

  public static void attach(Session session, WriteCall call) {
    Qp qp = session.handles().find(Qp.class, call.in().getInt(AttachMcast.QP_HANDLE));
    Group group =
        new Group(Gid.of(call.in().getBytes(AttachMcast.GID)), call.in().getInt(AttachMcast.MLID));
    boolean anyLid = !VportContext.isInfiniBand(session.hca());
    Refusal.require(
        anyLid || group.lid >= FIRST_LID && group.lid <= LAST_LID,
        Errno.EINVAL,
        "LID 0x%x is not that of a group, which is 0xc000 to 0xfffe",
        group.lid);
    qp.attach(
        group,
        View.command(AttachToMcgIn.STRUCTURE, CommandOpcode.ATTACH_TO_MCG)
            .set(AttachToMcgIn.QPN, qp.number())
            .setBytes(AttachToMcgIn.MULTICAST_GID, group.gid.bytes())
            .bytes());
  }

  public static void detach(Session session, WriteCall call) {
    Qp qp = session.handles().find(Qp.class, call.in().getInt(DetachMcast.QP_HANDLE));
    Group group =
        new Group(Gid.of(call.in().getBytes(DetachMcast.GID)), call.in().getInt(DetachMcast.MLID));
    qp.detach(
        group,
        View.command(DetachFromMcgIn.STRUCTURE, CommandOpcode.DETACH_FROM_MCG)
            .set(DetachFromMcgIn.QPN, qp.number())
            .setBytes(DetachFromMcgIn.MULTICAST_GID, group.gid.bytes())
            .bytes());
  }
}
