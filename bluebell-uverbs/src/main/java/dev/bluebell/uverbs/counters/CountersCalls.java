package dev.bluebell.uverbs.counters;

import dev.bluebell.hca.uverbs.CountersAbi.CreateCountersAttrs;
import dev.bluebell.hca.uverbs.CountersAbi.DestroyCountersAttrs;
import dev.bluebell.hca.uverbs.CountersAbi.ReadCountersAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about counters. */
public final class CountersCalls {
  private CountersCalls() {}

  public static void create(Session session, IoctlCall call) throws IOException {
    call.putHandle(CreateCountersAttrs.HANDLE, session.handles().add(new Counters()));
  }

  public static void read(Session session, IoctlCall call) {
    session.handles().find(Counters.class, call.handle(ReadCountersAttrs.HANDLE));
    throw new Refusal(Errno.EINVAL, "the counters are not bound to a flow");
  }

  public static void destroy(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(Counters.class, call.handle(DestroyCountersAttrs.HANDLE));
  }
}
