package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaObject;

/** A protection domain. */
record Pd(HcaObject object) implements Handles.OnDevice {
  /** Mirrors {@code mlx5_ib_alloc_pd_resp}: the number of the domain. */
  static void allocate(Session session, WriteCall call) {
    Pd pd = new Pd(session.hca().allocateProtectionDomain());
    int handle = session.handles().add(pd);
    call.reply(Fields.of(4).u32(0, handle));
    call.replyOfDriver(Fields.of(4).u32(0, pd.object.number()));
  }

  int number() {
    return object.number();
  }

  @Override
  public int rank() {
    return 5;
  }

  @Override
  public void destroy(boolean alive) {
    object.close();
  }
}
