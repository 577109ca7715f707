package dev.bluebell.uverbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import java.io.IOException;

/**
 * An address handle: of RoCE, libmlx5 only asks for the Ethernet address of the destination, and
 * writes the rest of each address vector itself. Mirrors {@code ib_user_verbs.h:
 * ib_uverbs_create_ah} and {@code mlx5_ib ah.c: mlx5_ib_create_ah}.
 */
record Ah(Pd pd) implements Handles.Held {
  private static final int DRIVER_BYTES = 16;

  /** Through the end of dmac: the least that a program's libmlx5 must have room for. */
  private static final int DRIVER_LEAST_BYTES = 10;

  private static final int MAC_OFFSET = 4;
  private static final int MAC_BYTES = 6;

  static void create(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    Pd pd = session.handles().find(Pd.class, in.u32(16));
    Refusal.require(
        in.u8(53) != 0,
        Errno.EINVAL,
        "an address handle on Ethernet needs is_global and a destination GID");
    Refusal.require(
        call.driverOut().bytes() == 0 || call.driverOut().bytes() >= DRIVER_LEAST_BYTES,
        Errno.EINVAL,
        "there is no room for the Ethernet address of an address handle");
    HcaPath path = session.hca().resolve(in.u8(54), in.u8(44), Gid.of(in.bytes(24, 16)));
    call.reply(Fields.of(4).u32(0, session.handles().add(new Ah(pd))));
    Fields driver = Fields.of(DRIVER_BYTES).u32(0, DRIVER_LEAST_BYTES);
    for (int i = 0; i < MAC_BYTES; i++) {
      driver.u8(MAC_OFFSET + i, (int) (path.mac() >>> 8 * (MAC_BYTES - 1 - i)) & 0xff);
    }
    call.replyOfDriver(driver);
  }

  @Override
  public int rank() {
    return 1;
  }

  @Override
  public void destroy(boolean alive) {}
}
