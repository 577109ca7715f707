package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.hca.uverbs.QpAbi.QpCap;
import dev.bluebell.hca.uverbs.QpAbi.QueryQpResp;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.event.AsyncEvents;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pages.Capability;
import dev.bluebell.uverbs.pd.Xrcd;
import dev.bluebell.uverbs.session.EventRouter;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.xrc.QpObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client's queue pair, whose queues lie in memory of the client. An XRC target has no queues, and
 * several clients may have it open.
 */
final class Qp implements Handles.OnDevice {
  private final QpObject queuePair;
  private final QpType type;
  private final @Nullable Xrcd xrcd;
  private final @Nullable QpShape shape;
  private final View capabilities;
  private final boolean signalsAll;
  private final List<EventRouter.Route> events = new ArrayList<>();
  private final Set<MulticastCalls.Group> groups = new HashSet<>();
  private int eventsReported;

  /**
   * @param xrcd the client's handle of its domain, for an XRC target
   * @param shape the queues, for other types
   */
  private Qp(
      QpObject queuePair,
      QpType type,
      @Nullable Xrcd xrcd,
      @Nullable QpShape shape,
      View capabilities,
      boolean signalsAll) {
    this.queuePair = queuePair;
    this.type = type;
    this.xrcd = xrcd;
    this.shape = shape;
    this.capabilities = capabilities;
    this.signalsAll = signalsAll;
  }

  /**
   * A queue pair that belongs to one client.
   *
   * @param capabilities {@link QpCap}
   */
  static Qp own(
      QpObject queuePair, QpType type, QpShape shape, View capabilities, boolean signalsAll) {
    return new Qp(queuePair, type, null, shape, capabilities, signalsAll);
  }

  /** An XRC target, which counts as a user of its domain. */
  static Qp ofDomain(Xrcd xrcd, QpObject target, View capabilities, boolean signalsAll) {
    xrcd.use(1);
    return new Qp(target, QpType.XRC_TGT, xrcd, null, capabilities, signalsAll);
  }

  /** Routes the queue pair's events to a file. */
  void report(Session session, EventFile file, long userHandle) {
    AsyncEvents.route(session, object(), AsyncEvents.OF_QUEUE_PAIR, file, userHandle, events);
  }

  int number() {
    return queuePair.number();
  }

  /** The library's index of the register on which it rings, if the kernel chose the register. */
  int register() {
    return shape == null ? 0 : shape.register().index();
  }

  /** The sizes of its queues, as {@link QpCap}. */
  View capabilities() {
    return capabilities;
  }

  /** Moves the QP to another state, or changes attributes in its state. */
  void modify(Session session, QpAttributes given) throws IOException {
    synchronized (queuePair) {
      if (given.placesOutOfOrder()) {
        OutOfOrder.require(session.hca(), type);
        queuePair.placeOutOfOrder();
      }
      change(session, given.of(type));
    }
  }

  private void change(Session session, QpAttributes given) throws IOException {
    int current =
        given.has(QpMask.CUR_STATE)
            ? given.getInt(ModifyQp.CUR_QP_STATE)
            : QpCommands.state(object().query(QpCommands.query(number())));
    int next = given.has(QpMask.STATE) ? given.getInt(ModifyQp.QP_STATE) : current;
    QpTransitions.Transition transition = QpTransitions.find(type, current, next, given);
    given.check();
    Refusal.require(
        !given.hasPrivilegedKey() || Capability.NET_RAW.isHeldBy(session.process()),
        Errno.EPERM,
        "qkey 0x%x has its highest bit set, which is for processes with CAP_NET_RAW",
        given.getInt(ModifyQp.QKEY));
    if (transition.opcode() == 0) {
      return;
    }
    if (shape != null
        && shape.matchesTags()
        && given.has(QpMask.AV)
        && given.getInt(ModifyQp.DEST_QP_NUM) == number()) {
      QpPath.addressSelf(session.hca(), given.destination());
    }
    int newRights =
        given.has(QpMask.ACCESS_FLAGS)
            ? given.getInt(ModifyQp.QP_ACCESS_FLAGS)
            : queuePair.rights();
    int newReads =
        given.has(QpMask.MAX_DEST_RD_ATOMIC)
            ? given.getInt(ModifyQp.MAX_DEST_RD_ATOMIC)
            : queuePair.reads();
    QpModification modification =
        new QpModification(
            session.hca(), number(), type, newRights, newReads, queuePair.isOutOfOrder());
    byte[] unused = object().modify(modification.command(transition.opcode(), given));
    boolean forgets = next == QpStates.RESET;
    queuePair.keep(forgets ? 0 : newRights, forgets ? 0 : newReads);
  }

  /** Attaches it to a multicast group, unless it is attached already. */
  void attach(MulticastCalls.Group group) {
    synchronized (queuePair) {
      if (!groups.contains(group)) {
        changeGroup(CommandOpcode.ATTACH_TO_MCG, group);
        groups.add(group);
      }
    }
  }

  /** Reverts {@link #attach}. */
  void detach(MulticastCalls.Group group) {
    synchronized (queuePair) {
      Refusal.require(
          groups.remove(group),
          Errno.EINVAL,
          "QP 0x%x is not attached to group %s with LID 0x%x",
          number(),
          group.gid(),
          group.lid());
      // The device identifies groups by GID only.
      if (groups.stream().noneMatch(other -> other.gid().equals(group.gid()))) {
        changeGroup(CommandOpcode.DETACH_FROM_MCG, group);
      }
    }
  }

  /** Executes one of the two commands about groups, which have the same layout. */
  private void changeGroup(int opcode, MulticastCalls.Group group) {
    byte[] unused =
        object()
            .modify(
                View.command(AttachToMcgIn.STRUCTURE, opcode)
                    .set(AttachToMcgIn.QPN, number())
                    .setBytes(AttachToMcgIn.MULTICAST_GID, group.gid().bytes())
                    .bytes());
  }

  /** The attributes, as {@link QueryQpResp}. */
  View query() {
    return QpCommands.attributes(object().query(QpCommands.query(number())))
        .set(QueryQpResp.CAP, capabilities)
        .set(QueryQpResp.SQ_SIG_ALL, signalsAll);
  }

  /** Events that the client has read, once the QP is destroyed. */
  int eventsReported() {
    return eventsReported;
  }

  @Override
  public HcaObject object() {
    return queuePair.object();
  }

  @Override
  public int rank() {
    return ObjectKind.QUEUE_PAIR.ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    Refusal.require(
        !alive || groups.isEmpty(),
        Errno.EBUSY,
        "QP 0x%x is attached to %s; detach it first (ibv_detach_mcast)",
        number(),
        Counted.of(groups.size(), "multicast group"));
    if (xrcd == null) {
      object().close();
    } else {
      xrcd.domain().close(queuePair);
      xrcd.use(-1);
    }
    eventsReported = events.stream().mapToInt(EventRouter.Route::end).sum();
    if (shape != null) {
      shape.release(alive);
    }
  }
}
