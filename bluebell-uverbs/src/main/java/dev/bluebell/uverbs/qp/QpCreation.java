package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.QpCap;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.cq.Cq;
import dev.bluebell.uverbs.event.AsyncEvents;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.pd.Xrcd;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.xrc.QpObject;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/** Creates queue pairs of all types. Mirrors {@code mlx5_ib qp.c: mlx5_ib_create_qp}. */
final class QpCreation {
  private static final int FLAGS =
      Mlx5.QP_FLAG_SIGNATURE
          | Mlx5.QP_FLAG_SCATTER_CQE
          | Mlx5.QP_FLAG_ALLOW_SCATTER_CQE
          | Mlx5.QP_FLAG_BFREG_INDEX
          | Mlx5.QP_FLAG_UAR_PAGE_INDEX;

  private static final int INITIATOR_FLAGS =
      FLAGS | Mlx5.QP_FLAG_TYPE_DCI | Mlx5.QP_FLAG_DCI_STREAM;

  private QpCreation() {}

  /**
   * A new QP, and the answer to the client.
   *
   * @param number 0 for a DC target, which gets it later
   * @param register the library's index of its register, if the kernel chose the register
   */
  record Made(int handle, int number, View capabilities, int register) {}

  static Made create(Session session, QpRequest request) throws IOException {
    if (QpRequest.isTarget(request.number(), request.driver())) {
      Dct made = Dct.create(session, request);
      return new Made(session.handles().add(made), 0, request.capabilities(), 0);
    }
    QpType type = request.type();
    int unknown = type.sends() ? request.flags() & ~CreateFlags.ALL : request.flags();
    Refusal.require(
        unknown == 0, Errno.EOPNOTSUPP, "a QP with create_flags 0x%x is not supported", unknown);
    return type.sends() ? createOwn(session, request, type) : createTarget(session, request);
  }

  /** The handle of an object that a request must name. */
  static int required(OptionalInt handle, String what) {
    Refusal.require(handle.isPresent(), Errno.EINVAL, "a queue pair of this type needs %s", what);
    return handle.getAsInt();
  }

  private static Made createOwn(Session session, QpRequest request, QpType type)
      throws IOException {
    int flags = request.driverFlags();
    Refusal.require(
        (flags & ~(type == QpType.DCI ? INITIATOR_FLAGS : FLAGS)) == 0,
        Errno.EINVAL,
        "a QP can't have driver flags 0x%x",
        flags);
    View capabilities = request.capabilities();
    Refusal.require(
        type != QpType.DCI
            || !capabilities.isSet(QpCap.MAX_RECV_WR) && !capabilities.isSet(QpCap.MAX_RECV_SGE),
        Errno.EINVAL,
        "a DCI has no receive queue of its own");
    Pd pd = session.handles().find(Pd.class, request.pd());
    Cq sends = session.handles().find(Cq.class, required(request.sendCq(), "a CQ for requests"));
    Cq receives =
        type.receives()
            ? session.handles().find(Cq.class, required(request.receiveCq(), "a CQ for receives"))
            : sends;
    Optional<EventFile> events = AsyncEvents.of(session, request.events());
    QpShape shape = QpShape.share(session, request, type);
    HcaObject object;
    try {
      object = session.hca().create(QpCommands.create(request, type, shape, pd, sends, receives));
    } catch (RuntimeException e) {
      shape.release(true);
      throw e;
    }
    if (shape.receives() > 0) {
      // The queue may have more than the client asked for.
      capabilities
          .set(QpCap.MAX_RECV_WR, shape.receives())
          .set(QpCap.MAX_RECV_SGE, shape.receiveSegments());
    } else if (!type.receives()) {
      capabilities.set(QpCap.MAX_RECV_WR, 0).set(QpCap.MAX_RECV_SGE, 0);
    }
    Qp qp = Qp.own(new QpObject(object), type, shape, capabilities, request.signalsAll());
    return made(session, qp, events, request.userHandle());
  }

  private static Made made(Session session, Qp qp, Optional<EventFile> events, long userHandle)
      throws IOException {
    try {
      events.ifPresent(file -> qp.report(session, file, userHandle));
    } catch (RuntimeException e) {
      qp.destroy(true);
      throw e;
    }
    return new Made(session.handles().add(qp), qp.number(), qp.capabilities(), qp.register());
  }

  private static Made createTarget(Session session, QpRequest request) throws IOException {
    Xrcd xrcd = session.handles().find(Xrcd.class, request.pd());
    Optional<EventFile> events = AsyncEvents.of(session, request.events());
    HcaObject object = session.hca().create(QpCommands.createTarget(xrcd.domain()));
    Qp qp =
        Qp.ofDomain(xrcd, xrcd.domain().add(object), request.capabilities(), request.signalsAll());
    return made(session, qp, events, request.userHandle());
  }

  /**
   * Opens an existing XRC target of any client.
   *
   * @param type ib_uverbs_qp_type; only XRC targets can be opened
   * @param domain handle of its XRC domain
   */
  static Made open(Session session, long userHandle, int type, int domain, int qpn)
      throws IOException {
    Refusal.require(
        type == Verbs.QPT_XRC_TGT,
        Errno.EINVAL,
        "QPs of type %s can't be opened",
        Verbs.qpTypeName(type));
    Xrcd xrcd = session.handles().find(Xrcd.class, domain);
    Optional<EventFile> events = AsyncEvents.of(session, -1);
    Qp qp = Qp.ofDomain(xrcd, xrcd.domain().open(qpn), View.of(QpCap.STRUCTURE), false);
    return made(session, qp, events, userHandle);
  }
}
