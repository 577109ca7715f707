package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CompEvent;
import dev.bluebell.hca.command.CqError;
import dev.bluebell.hca.command.Eqe;
import dev.bluebell.hca.command.QpEvents;
import dev.bluebell.hca.command.View;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Channels for events of any object. Mirrors {@code mlx5_user_ioctl_verbs.h:
 * mlx5_ib_uapi_devx_async_event_hdr}: a cookie, and the event queue entry unless it is omitted.
 */
final class DevxEvents {
  private static final int FD = 0x1000;
  private static final int FLAGS = 0x1001;
  private static final int OMIT_DATA = 1;

  private static final int OBJECT = 0x1001;
  private static final int TYPES = 0x1002;
  private static final int EVENT_FD = 0x1003;
  private static final int COOKIE = 0x1004;

  private DevxEvents() {}

  static void open(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    long flags = call.number(FLAGS, 0);
    Refusal.require((flags & ~OMIT_DATA) == 0, Errno.EINVAL, "flags 0x%x of a channel", flags);
    int bytes = Long.BYTES + (flags == OMIT_DATA ? 0 : Eqe.STRUCTURE.bytes());
    call.putHandle(FD, EventFile.open(session, EventFile.Kind.DEVX_EVENTS, bytes).fd());
  }

  static void subscribe(Session session, IoctlCall call) {
    session.requireDevx();
    Refusal.require(
        !call.has(EVENT_FD), Errno.EOPNOTSUPP, "events of DevX can't go to an eventfd here");
    EventFile file = EventFile.find(session, EventFile.Kind.DEVX_EVENTS, call.handle(FD));
    @Nullable HcaObject object =
        call.has(OBJECT)
            ? session.handles().find(Handles.OnDevice.class, call.handle(OBJECT)).object()
            : null;
    Fields types = call.structure(TYPES, 0);
    long cookie = call.number(COOKIE, 0);
    for (int at = 0; at + Short.BYTES <= types.size(); at += Short.BYTES) {
      int type = types.u16(at);
      Fields event =
          Fields.of(file.eventBytes())
              .u64(0, cookie)
              .bytes(Long.BYTES, entry(object, type, file.eventBytes() - Long.BYTES));
      file.keep(session.events().route(object, type, file.pipe(), event.bytes()));
    }
  }

  private static byte[] entry(@Nullable HcaObject object, int type, int bytes) {
    if (bytes == 0) {
      return new byte[0];
    }
    View entry = View.of(Eqe.STRUCTURE).set(Eqe.EVENT_TYPE, type);
    if (object != null) {
      switch (type) {
        case HcaEvent.COMPLETION ->
            entry.at(Eqe.EVENT_DATA_COMP_EVENT).set(CompEvent.CQ_NUMBER, object.number());
        case HcaEvent.CQ_ERROR ->
            entry
                .at(Eqe.EVENT_DATA_CQ_ERROR)
                .set(CqError.CQN, object.number())
                .set(CqError.SYNDROME, HcaEvent.CQ_OVERRUN);
        default -> entry.at(Eqe.EVENT_DATA_QP_EVENTS).set(QpEvents.QPN_RQN_SQN, object.number());
      }
    }
    return entry.bytes();
  }
}
