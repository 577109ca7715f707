package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.MrAbi.AllocMw;
import dev.bluebell.hca.uverbs.MrAbi.AllocMwResp;
import dev.bluebell.hca.uverbs.MrAbi.DeallocMw;
import dev.bluebell.hca.uverbs.MrAbi.DestroyMwAttrs;
import dev.bluebell.hca.uverbs.MrAbi.Mlx5AllocMw;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about memory windows. Windows are bound by work requests, not by calls. */
public final class MwCalls {
  // ib_verbs.h: ib_mw_type.
  private static final int TYPE_1 = 1;
  private static final int TYPE_2 = 2;

  private MwCalls() {}

  public static void allocate(Session session, WriteCall call) throws IOException {
    int type = call.in().getInt(AllocMw.MW_TYPE);
    View driver = call.driverIn();
    Refusal.require(
        type == TYPE_1 || type == TYPE_2,
        Errno.EINVAL,
        "a memory window has type 1 or 2, not %d",
        type);
    Refusal.require(
        Capabilities.general(session.hca()).isSet(CmdHcaCap.IMAICL),
        Errno.EOPNOTSUPP,
        "the device has no memory windows");
    Refusal.require(
        driver.getInt(Mlx5AllocMw.COMP_MASK) == 0
            && driver.getInt(Mlx5AllocMw.RESERVED1) == 0
            && driver.getInt(Mlx5AllocMw.RESERVED2) == 0,
        Errno.EOPNOTSUPP,
        "ALLOC_MW has fields of the driver that must be 0");
    Pd pd = session.handles().find(Pd.class, call.in().getInt(AllocMw.PD_HANDLE));
    int entries = Math.max(1, driver.getInt(Mlx5AllocMw.NUM_KLMS));
    Mw mw = Mw.allocate(session, pd, entries, type == TYPE_2);
    int handle = session.handles().add(mw);
    call.reply(
        View.of(AllocMwResp.STRUCTURE)
            .set(AllocMwResp.MW_HANDLE, handle)
            .set(AllocMwResp.RKEY, mw.rkey()));
  }

  public static void deallocate(Session session, WriteCall call) throws IOException {
    session.handles().destroy(Mw.class, call.in().getInt(DeallocMw.MW_HANDLE));
  }

  public static void deallocate(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(Mw.class, call.handle(DestroyMwAttrs.HANDLE));
  }
}
