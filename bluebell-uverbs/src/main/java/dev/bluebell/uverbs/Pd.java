package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.ObjectKind;
import java.io.IOException;

/** A protection domain. */
record Pd(HcaObject object) implements Handles.OnDevice {
  /** Mirrors {@code mlx5_ib_alloc_pd_resp}: the number of the domain. */
  static void allocate(Session session, WriteCall call) throws IOException {
    Pd pd = new Pd(session.hca().allocateProtectionDomain());
    int handle = session.handles().add(pd);
    call.reply(Fields.of(4).u32(0, handle));
    call.replyOfDriver(Fields.of(4).u32(0, pd.object.number()));
  }

  static void deallocate(Session session, int handle) throws IOException {
    Pd pd = session.handles().find(Pd.class, handle);
    // The device knows nothing of address handles.
    Refusal.require(
        session.handles().all(Ah.class).stream().noneMatch(ah -> ah.pd().equals(pd)),
        Errno.EBUSY,
        "PD 0x%x still has address handles",
        pd.number());
    session.handles().destroy(Pd.class, handle);
  }

  int number() {
    return object.number();
  }

  @Override
  public int rank() {
    return ObjectKind.PROTECTION_DOMAIN.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    object.close();
  }
}
