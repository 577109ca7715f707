package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.DeviceMemoryKey;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.MrAbi.AdviseMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.DeregMr;
import dev.bluebell.hca.uverbs.MrAbi.DestroyMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.QueryMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegMr;
import dev.bluebell.hca.uverbs.MrAbi.RegMrResp;
import dev.bluebell.hca.uverbs.MrAbi.ReregMr;
import dev.bluebell.hca.uverbs.MrAbi.ReregMrResp;
import dev.bluebell.hca.uverbs.MrAbi.Sge;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about memory regions. */
public final class MrCalls {
  // ib_verbs.h: ib_mr_rereg_flags.
  private static final int REREG_TRANSLATION = 1;
  private static final int REREG_DOMAIN = 2;
  private static final int REREG_ACCESS = 4;

  private MrCalls() {}

  public static void register(Session session, WriteCall call) throws IOException {
    View in = call.in();
    Pd pd = session.handles().find(Pd.class, in.getInt(RegMr.PD_HANDLE));
    Mr mr =
        Mr.register(
            session,
            pd,
            in.get(RegMr.START),
            in.get(RegMr.LENGTH),
            in.get(RegMr.HCA_VA),
            in.getInt(RegMr.ACCESS_FLAGS));
    int handle = session.handles().add(mr);
    call.reply(
        View.of(RegMrResp.STRUCTURE)
            .set(RegMrResp.MR_HANDLE, handle)
            .set(RegMrResp.LKEY, mr.memory().lkey())
            .set(RegMrResp.RKEY, mr.memory().rkey()));
  }

  /** Changes a region and keeps its keys; a refused change leaves it as it was. */
  public static void reregister(Session session, WriteCall call) throws IOException {
    View in = call.in();
    int handle = in.getInt(ReregMr.MR_HANDLE);
    int flags = in.getInt(ReregMr.FLAGS);
    Refusal.require(
        flags != 0 && (flags & ~(REREG_TRANSLATION | REREG_DOMAIN | REREG_ACCESS)) == 0,
        Errno.EINVAL,
        "a re-registration can't have flags 0x%x",
        flags);
    Mr old = session.handles().find(Mr.class, handle);
    Refusal.require(
        !(old.memory() instanceof DeviceMemoryKey),
        Errno.EINVAL,
        "an MR in device memory can't be registered again");
    boolean moves = (flags & REREG_TRANSLATION) != 0;
    Mr mr =
        old.reregister(
            session,
            moves,
            (flags & REREG_DOMAIN) != 0
                ? session.handles().find(Pd.class, in.getInt(ReregMr.PD_HANDLE))
                : old.pd(),
            moves ? in.get(ReregMr.START) : old.start(),
            moves ? in.get(ReregMr.LENGTH) : old.length(),
            moves ? in.get(ReregMr.HCA_VA) : old.address(),
            (flags & REREG_ACCESS) != 0 ? in.getInt(ReregMr.ACCESS_FLAGS) : old.access());
    session.handles().replace(handle, mr);
    call.reply(
        View.of(ReregMrResp.STRUCTURE)
            .set(ReregMrResp.LKEY, mr.memory().lkey())
            .set(ReregMrResp.RKEY, mr.memory().rkey()));
  }

  public static void query(Session session, IoctlCall call) {
    Mr mr = session.handles().find(Mr.class, call.handle(QueryMrAttrs.HANDLE));
    call.putInt(QueryMrAttrs.RESP_LKEY, mr.memory().lkey());
    call.putInt(QueryMrAttrs.RESP_RKEY, mr.memory().rkey());
    call.putLong(QueryMrAttrs.RESP_LENGTH, mr.length());
    call.putLong(QueryMrAttrs.RESP_IOVA, mr.address());
  }

  /**
   * Checks advice to prefetch. Prefetches nothing, because the device keeps no translations to fill
   * in advance.
   */
  public static void advise(Session session, IoctlCall call) throws IOException {
    Pd pd = session.handles().find(Pd.class, call.handle(AdviseMrAttrs.PD_HANDLE));
    int advice = call.handle(AdviseMrAttrs.ADVICE);
    int flags = call.handle(AdviseMrAttrs.FLAGS);
    byte[] list = call.bytes(AdviseMrAttrs.SGE_LIST);
    int sgeBytes = Sge.STRUCTURE.bytes();
    Refusal.require(
        advice >= 0 && advice <= Verbs.ADVISE_MR_ADVICE_PREFETCH_NO_FAULT,
        Errno.EOPNOTSUPP,
        "advice %d is not supported",
        advice);
    Refusal.require(
        (flags & ~Verbs.ADVISE_MR_FLAG_FLUSH) == 0
            && list.length > 0
            && list.length % sgeBytes == 0,
        Errno.EINVAL,
        "advice can't have flags 0x%x and %d bytes of segments",
        flags,
        list.length);
    for (int at = 0; at < list.length; at += sgeBytes) {
      View sge = View.over(list).at(at);
      withLkey(session, sge.getInt(Sge.LKEY))
          .checkAdvice(
              session,
              pd,
              sge.get(Sge.ADDR),
              sge.get(Sge.LENGTH),
              advice == Verbs.ADVISE_MR_ADVICE_PREFETCH_WRITE,
              (flags & Verbs.ADVISE_MR_FLAG_FLUSH) != 0
                  && advice != Verbs.ADVISE_MR_ADVICE_PREFETCH_NO_FAULT);
    }
  }

  private static Mr withLkey(Session session, int lkey) {
    return session.handles().all(Mr.class).stream()
        .filter(mr -> mr.memory().lkey() == lkey)
        .findFirst()
        .orElseThrow(() -> new Refusal(Errno.ENOENT, "no MR has lkey 0x%x".formatted(lkey)));
  }

  public static void deregister(Session session, WriteCall call) throws IOException {
    session.handles().destroy(Mr.class, call.in().getInt(DeregMr.MR_HANDLE));
  }

  public static void deregister(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(Mr.class, call.handle(DestroyMrAttrs.HANDLE));
  }
}
