package dev.bluebell.uverbs;

import java.io.IOException;

/**
 * Counters that could be bound to flows. The device has no flow steering, and what is bound to
 * nothing has nothing to read. Mirrors {@code ib_user_ioctl_cmds.h: UVERBS_OBJECT_COUNTERS} and
 * {@code mlx5_ib counters.c}, where making them asks nothing of the device.
 */
record Counters() implements Handles.Held {
  private static final int HANDLE = 0;

  static void create(Session session, IoctlCall call) throws IOException {
    call.putHandle(HANDLE, session.handles().add(new Counters()));
  }

  static void read(Session session, IoctlCall call) {
    Counters unbound = session.handles().find(Counters.class, call.handle(HANDLE));
    throw new Refusal(Errno.EINVAL, "%s are bound to no flow".formatted(unbound));
  }

  @Override
  public int rank() {
    return 6;
  }

  @Override
  public void destroy(boolean alive) {}
}
