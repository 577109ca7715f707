package dev.bluebell.uverbs.devx;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.EqeFormat.CompEvent;
import dev.bluebell.hca.command.EqeFormat.CqError;
import dev.bluebell.hca.command.EqeFormat.DctEvents;
import dev.bluebell.hca.command.EqeFormat.Eqe;
import dev.bluebell.hca.command.EqeFormat.QpEvents;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxAsyncEventFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxSubscribeEventAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.Mlx5DevxAsyncEventHdr;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.session.VportContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Channels for events of any object. Mirrors {@code mlx5_user_ioctl_verbs.h:
 * mlx5_ib_uapi_devx_async_event_hdr}: a cookie, and the event queue entry unless it is omitted.
 */
public final class DevxEvents {
  private static final int HEADER_BYTES = Mlx5DevxAsyncEventHdr.STRUCTURE.bytes();

  /** {@code mlx5_ib devx.c: MAX_NUM_EVENTS}. */
  private static final int MAX_TYPES = 255;

  private static final Field TYPE = Field.littleEndian("event type", 0, Short.BYTES);

  private DevxEvents() {}

  public static void open(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    long flags = call.number(DevxAsyncEventFdAllocAttrs.FLAGS, 0);
    long omitData = Mlx5.IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA;
    Refusal.require(
        (flags & ~omitData) == 0, Errno.EINVAL, "a channel can't have flags 0x%x", flags);
    int bytes = HEADER_BYTES + (flags == omitData ? 0 : Eqe.STRUCTURE.bytes());
    call.putHandle(
        DevxAsyncEventFdAllocAttrs.HANDLE,
        EventFile.open(session, EventFile.Kind.DEVX_EVENTS, bytes).fd());
  }

  public static void subscribe(Session session, IoctlCall call) {
    session.requireDevx();
    Refusal.require(
        !call.has(DevxSubscribeEventAttrs.FD_NUM),
        Errno.EOPNOTSUPP,
        "events of DevX can't go to an eventfd, which the client could fill so that the device"
            + " process would wait for ever; read them from the channel");
    EventFile file =
        EventFile.find(
            session, EventFile.Kind.DEVX_EVENTS, call.handle(DevxSubscribeEventAttrs.FD_HANDLE));
    @Nullable DevxObject source =
        call.has(DevxSubscribeEventAttrs.OBJ_HANDLE)
            ? session
                .handles()
                .find(DevxObject.class, call.handle(DevxSubscribeEventAttrs.OBJ_HANDLE))
            : null;
    @Nullable HcaObject object = source == null ? null : source.object();
    byte[] types = call.bytes(DevxSubscribeEventAttrs.TYPE_NUM_LIST);
    Refusal.require(
        types.length <= MAX_TYPES * TYPE.bytes(),
        Errno.EINVAL,
        "%d bytes list more than %d types of events",
        types.length,
        MAX_TYPES);
    long cookie = call.number(DevxSubscribeEventAttrs.COOKIE, 0);
    int entryBytes = file.eventBytes() - HEADER_BYTES;
    for (int at = 0; at + TYPE.bytes() <= types.length; at += TYPE.bytes()) {
      int type = View.over(types).at(at).getInt(TYPE);
      if (source != null && !source.raises(type)) {
        // As on a card, no such event comes. At the device, the subscription would be one to the
        // object of another kind that has the same number.
        continue;
      }
      View header =
          View.of(Mlx5DevxAsyncEventHdr.STRUCTURE).set(Mlx5DevxAsyncEventHdr.COOKIE, cookie);
      file.subscribe(
          session,
          object,
          type,
          cookie,
          entryBytes == 0
              ? syndrome -> header.bytes()
              : syndrome -> event(header, entry(object, type, syndrome)));
    }
  }

  private static byte[] event(View header, byte[] entry) {
    return View.of(Mlx5DevxAsyncEventHdr.STRUCTURE, entry.length)
        .put(0, header.bytes())
        .put(HEADER_BYTES, entry)
        .bytes();
  }

  private static byte[] entry(@Nullable HcaObject object, int type, int syndrome) {
    View entry = View.of(Eqe.STRUCTURE).set(Eqe.EVENT_TYPE, type);
    if (object == null && type == HcaEvent.PORT_CHANGE) {
      entry
          .set(Eqe.EVENT_SUB_TYPE, syndrome)
          .set(Eqe.EVENT_DATA_PORT_STATE_CHANGE_EVENT_PORT_NUM, VportContext.PORT);
    }
    if (object != null) {
      switch (type) {
        case HcaEvent.COMPLETION ->
            entry.at(Eqe.EVENT_DATA_COMP_EVENT).set(CompEvent.CQ_NUMBER, object.number());
        case HcaEvent.CQ_ERROR ->
            entry
                .at(Eqe.EVENT_DATA_CQ_ERROR)
                .set(CqError.CQN, object.number())
                .set(CqError.SYNDROME, syndrome);
        case HcaEvent.DCT_DRAINED, HcaEvent.DCT_KEY_VIOLATION ->
            entry.at(Eqe.EVENT_DATA_DCT_EVENTS).set(DctEvents.DCT_NUMBER, object.number());
        default -> entry.at(Eqe.EVENT_DATA_QP_EVENTS).set(QpEvents.QPN_RQN_SQN, object.number());
      }
    }
    return entry.bytes();
  }
}
