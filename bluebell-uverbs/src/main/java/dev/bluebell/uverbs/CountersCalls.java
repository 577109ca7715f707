package dev.bluebell.uverbs;

import dev.bluebell.uverbs.abi.ioctl.CreateCountersAttrs;
import dev.bluebell.uverbs.abi.ioctl.DestroyCountersAttrs;
import dev.bluebell.uverbs.abi.ioctl.ReadCountersAttrs;
import java.io.IOException;

/** The calls about counters. */
final class CountersCalls {
  private CountersCalls() {}

  static void create(Session session, IoctlCall call) throws IOException {
    call.putHandle(CreateCountersAttrs.HANDLE, session.handles().add(new Counters()));
  }

  static void read(Session session, IoctlCall call) {
    Counters unbound =
        session.handles().find(Counters.class, call.handle(ReadCountersAttrs.HANDLE));
    throw new Refusal(Errno.EINVAL, "%s are bound to no flow".formatted(unbound));
  }

  static void destroy(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(Counters.class, call.handle(DestroyCountersAttrs.HANDLE));
  }
}
