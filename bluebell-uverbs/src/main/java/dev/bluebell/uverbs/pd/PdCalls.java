package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.AllocPdResp;
import dev.bluebell.hca.uverbs.PdAbi.DeallocPd;
import dev.bluebell.hca.uverbs.PdAbi.DestroyPdAttrs;
import dev.bluebell.hca.uverbs.PdAbi.Mlx5AllocPdResp;
import dev.bluebell.hca.uverbs.PdAbi.QueryPdAttrs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about protection domains. */
public final class PdCalls {
  private PdCalls() {}

  public static void allocate(Session session, WriteCall call) throws IOException {
    Pd pd = new Pd(session.hca().allocateProtectionDomain());
    int handle = session.handles().add(pd);
    call.reply(View.of(AllocPdResp.STRUCTURE).set(AllocPdResp.PD_HANDLE, handle));
    call.replyOfDriver(View.of(Mlx5AllocPdResp.STRUCTURE).set(Mlx5AllocPdResp.PDN, pd.number()));
  }

  public static void query(Session session, IoctlCall call) {
    Pd pd = session.handles().find(Pd.class, call.handle(QueryPdAttrs.HANDLE));
    call.putInt(QueryPdAttrs.RESP_PDN, pd.number());
  }

  public static void deallocate(Session session, WriteCall call) throws IOException {
    deallocate(session, call.in().getInt(DeallocPd.PD_HANDLE));
  }

  public static void deallocate(Session session, IoctlCall call) throws IOException {
    deallocate(session, call.handle(DestroyPdAttrs.HANDLE));
  }

  private static void deallocate(Session session, int handle) throws IOException {
    Pd pd = session.handles().find(Pd.class, handle);
    // The device has no objects for address handles.
    Refusal.require(
        session.handles().all(Ah.class).stream().noneMatch(ah -> ah.pd().equals(pd)),
        Errno.EBUSY,
        "PD 0x%x still has address handles",
        pd.number());
    session.handles().destroy(Pd.class, handle);
  }
}
