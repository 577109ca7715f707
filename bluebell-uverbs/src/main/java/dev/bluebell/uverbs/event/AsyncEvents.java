package dev.bluebell.uverbs.event;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.uverbs.session.EventRouter;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.session.VportContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The asynchronous event types of verbs. Mirrors {@code ib_verbs.h: ib_event_type}. */
public final class AsyncEvents {
  private static final int CQ_ERR = 0;
  private static final int QP_FATAL = 1;
  private static final int QP_REQ_ERR = 2;
  private static final int QP_ACCESS_ERR = 3;
  private static final int COMM_EST = 4;
  static final int DEVICE_FATAL = 8;
  private static final int PORT_ACTIVE = 9;
  private static final int PORT_ERR = 10;
  private static final int LID_CHANGE = 11;
  private static final int PKEY_CHANGE = 12;
  private static final int SRQ_ERR = 14;
  private static final int SRQ_LIMIT_REACHED = 15;
  private static final int QP_LAST_WQE_REACHED = 16;
  private static final int CLIENT_REREGISTER = 17;

  /** The failures of a CQ: from the device's type to the verbs type. */
  public static final Map<Integer, Integer> OF_COMPLETION_QUEUE = Map.of(HcaEvent.CQ_ERROR, CQ_ERR);

  /** The events of a QP: from the device's type to the verbs type. */
  public static final Map<Integer, Integer> OF_QUEUE_PAIR =
      Map.of(
          HcaEvent.WQ_CATASTROPHIC, QP_FATAL,
          HcaEvent.WQ_INVALID_REQUEST, QP_REQ_ERR,
          HcaEvent.WQ_ACCESS_ERROR, QP_ACCESS_ERR,
          HcaEvent.COMMUNICATION_ESTABLISHED, COMM_EST,
          HcaEvent.SRQ_LAST_WQE, QP_LAST_WQE_REACHED);

  /** The events of an SRQ: from the device's type to the verbs type. */
  public static final Map<Integer, Integer> OF_SHARED_RECEIVES =
      Map.of(HcaEvent.SRQ_CATASTROPHIC, SRQ_ERR, HcaEvent.SRQ_LIMIT, SRQ_LIMIT_REACHED);

  private AsyncEvents() {}

  /** Routes the events of the device and its port, which every context gets, to a file. */
  static void routeDevice(Session session, EventFile file) {
    file.subscribe(session, null, HcaEvent.PORT_CHANGE, 0, AsyncEvents::ofPort);
    byte[] fatal = EventFile.async(0, DEVICE_FATAL);
    file.subscribe(session, null, HcaEvent.INTERNAL_ERROR, 0, syndrome -> fatal);
  }

  /** Mirrors {@code mlx5_ib main.c: handle_port_change}. */
  private static byte[] ofPort(int subType) {
    return switch (subType) {
      case HcaEvent.PORT_DOWN, HcaEvent.PORT_INITIALIZED ->
          EventFile.async(VportContext.PORT, PORT_ERR);
      case HcaEvent.PORT_ACTIVE -> EventFile.async(VportContext.PORT, PORT_ACTIVE);
      case HcaEvent.PORT_LID -> EventFile.async(VportContext.PORT, LID_CHANGE);
      case HcaEvent.PORT_PARTITION_KEYS -> EventFile.async(VportContext.PORT, PKEY_CHANGE);
      case HcaEvent.PORT_CLIENT_REREGISTRATION ->
          EventFile.async(VportContext.PORT, CLIENT_REREGISTER);
      // The kernel refreshes its GID cache without an event.
      default -> new byte[0];
    };
  }

  /**
   * The file that a client chose for asynchronous events.
   *
   * @param fd its descriptor; -1 for the context's first file, usually the only one
   */
  public static Optional<EventFile> of(Session session, int fd) {
    return fd >= 0
        ? Optional.of(EventFile.find(session, EventFile.Kind.ASYNC, fd))
        : EventFile.all(session, EventFile.Kind.ASYNC).findFirst();
  }

  /**
   * Routes the events of an object to a file.
   *
   * @param types from the device's event types to the verbs types
   * @param routes gets each route at once, so that its owner ends those that exist even if a later
   *     one is refused
   */
  public static void route(
      Session session,
      HcaObject object,
      Map<Integer, Integer> types,
      EventFile file,
      long userHandle,
      List<EventRouter.Route> routes) {
    types.forEach(
        (type, told) ->
            routes.add(
                session
                    .events()
                    .route(object, type, file.pipe(), EventFile.async(userHandle, told))));
  }
}
