package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CreateQpIn;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.Mlx5;
import dev.bluebell.uverbs.abi.Verbs;
import dev.bluebell.uverbs.abi.structure.Mlx5CreateQp;
import dev.bluebell.uverbs.abi.structure.ModifyQp;
import dev.bluebell.uverbs.abi.structure.QpCap;
import dev.bluebell.uverbs.abi.structure.QueryQpResp;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.cq.Cq;
import dev.bluebell.uverbs.event.AsyncEvents;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.pd.Xrcd;
import dev.bluebell.uverbs.session.EventRouter;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.srq.Srq;
import dev.bluebell.uverbs.uar.Uar;
import dev.bluebell.uverbs.xrc.QpObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that a program has: its queues lie in memory of the program. An XRC target has none,
 * and other programs may have it, too.
 */
final class Qp implements Handles.OnDevice {
  private static final int MAX_WQEBBS = 1 << 15;
  private static final int PORT = 1;

  private static final int SUPPORTED_FLAGS =
      Mlx5.QP_FLAG_SCATTER_CQE | Mlx5.QP_FLAG_ALLOW_SCATTER_CQE | Mlx5.QP_FLAG_UAR_PAGE_INDEX;

  private static final int INITIATOR_FLAGS = Mlx5.QP_FLAG_TYPE_DCI | Mlx5.QP_FLAG_DCI_STREAM;

  // As the kernel sets them: fields of the context have five bits.
  private static final int STREAM_BITS = 0x1f;

  private final QpObject queuePair;
  private final QpType type;
  private final @Nullable Xrcd xrcd;
  private final List<SharedRanges.Place> places;
  private final AbiView capabilities;
  private final boolean signalsAll;
  private final boolean matchesTags;
  private final List<EventRouter.Route> events = new ArrayList<>();
  private int eventsReported;

  /**
   * @param xrcd the domain that the program has it of, for an XRC target
   * @param places memory of the program that it uses
   * @param matchesTags whether it receives in a tag-matching queue
   */
  private Qp(
      QpObject queuePair,
      QpType type,
      @Nullable Xrcd xrcd,
      List<SharedRanges.Place> places,
      boolean matchesTags,
      AbiView capabilities,
      boolean signalsAll) {
    this.queuePair = queuePair;
    this.type = type;
    this.xrcd = xrcd;
    this.places = places;
    this.matchesTags = matchesTags;
    this.capabilities = capabilities;
    this.signalsAll = signalsAll;
  }

  /**
   * A request to create a QP, in any form of the call.
   *
   * @param pd handle of the protection domain; that of the XRC domain for an XRC target
   * @param receiveCq handle of the completion queue of receives, unless it only sends
   * @param srq handle of the shared receive queue, if it has one
   * @param capabilities {@link QpCap}
   * @param events descriptor of the file for asynchronous events; -1 for the context's first
   * @param driver {@link Mlx5CreateQp}
   */
  record Request(
      long userHandle,
      QpType type,
      int pd,
      int sendCq,
      int receiveCq,
      OptionalInt srq,
      AbiView capabilities,
      boolean signalsAll,
      int flags,
      int events,
      AbiView driver) {}

  /** A new QP, and the answer to the program. */
  record Made(int handle, int number, AbiView capabilities) {}

  static Made create(Session session, Request request) throws IOException {
    Refusal.require(
        request.flags() == 0,
        Errno.EOPNOTSUPP,
        "a QP with create_flags 0x%x is not supported",
        request.flags());
    return request.type().sends() ? createOwn(session, request) : createTarget(session, request);
  }

  private static Made createOwn(Session session, Request request) throws IOException {
    Pd pd = session.handles().find(Pd.class, request.pd());
    Cq sends = session.handles().find(Cq.class, request.sendCq());
    Cq receives =
        request.type().receives() ? session.handles().find(Cq.class, request.receiveCq()) : sends;
    AbiView driver = request.driver();
    int flags = driver.getInt(Mlx5CreateQp.FLAGS);
    Refusal.require(
        (flags
                & ~(request.type() == QpType.DCI
                    ? SUPPORTED_FLAGS | INITIATOR_FLAGS
                    : SUPPORTED_FLAGS))
            == 0,
        Errno.EINVAL,
        "a QP can't have driver flags 0x%x",
        flags);
    Refusal.require(
        (flags & Mlx5.QP_FLAG_UAR_PAGE_INDEX) != 0,
        Errno.EOPNOTSUPP,
        "the program's libmlx5 does not know UAR pages by number");
    Uar uar = Uar.numbered(session, driver.getInt(Mlx5CreateQp.BFREG_INDEX));
    Optional<EventFile> events = AsyncEvents.of(session, request.events());
    QpCommands.Shape shape = shape(session, request);
    try {
      HcaObject object =
          session
              .hca()
              .create(
                  streams(
                      driver,
                      QpCommands.create(
                          request.type(),
                          shape,
                          pd.number(),
                          uar.number(),
                          driver.getInt(Mlx5CreateQp.UIDX) & 0xffffff,
                          sends.number(),
                          receives.number(),
                          ScatterToCqe.of(
                              request.type(), flags, request.signalsAll(), sends, receives))));
      AbiView capabilities = request.capabilities();
      if (shape.receives() > 0) {
        // The queue may have more than the program asked for.
        capabilities
            .set(QpCap.MAX_RECV_WR, shape.receives())
            .set(QpCap.MAX_RECV_SGE, (1 << shape.logReceiveStride()) / DataSegment.BYTES);
      }
      if (!request.type().receives()) {
        capabilities.set(QpCap.MAX_RECV_WR, 0).set(QpCap.MAX_RECV_SGE, 0);
      }
      Qp qp =
          new Qp(
              new QpObject(object),
              request.type(),
              null,
              List.of(shape.record(), shape.rings()),
              shape.matchesTags(),
              capabilities,
              request.signalsAll());
      return qp.made(session, events, request.userHandle());
    } catch (RuntimeException e) {
      shape.record().release(true);
      shape.rings().release(true);
      throw e;
    }
  }

  /** Adds to a command how many streams an initiator has, and how many of them may fail. */
  private static byte[] streams(AbiView driver, byte[] command) {
    if ((driver.getInt(Mlx5CreateQp.FLAGS) & Mlx5.QP_FLAG_DCI_STREAM) != 0) {
      View.over(command)
          .at(CreateQpIn.QPC)
          .set(
              Qpc.LOG_NUM_DCI_STREAM_CHANNELS,
              driver.getInt(Mlx5CreateQp.LOG_NUM_CONCURENT) & STREAM_BITS)
          .set(
              Qpc.LOG_NUM_DCI_ERRORED_STREAMS,
              driver.getInt(Mlx5CreateQp.LOG_NUM_ERRORED) & STREAM_BITS);
    }
    return command;
  }

  private Made made(Session session, Optional<EventFile> file, long userHandle) throws IOException {
    file.ifPresent(
        found ->
            events.addAll(
                AsyncEvents.route(
                    session, object(), AsyncEvents.OF_QUEUE_PAIR, found, userHandle)));
    return new Made(session.handles().add(this), number(), capabilities);
  }

  private static Made createTarget(Session session, Request request) throws IOException {
    Xrcd xrcd = session.handles().find(Xrcd.class, request.pd());
    Optional<EventFile> events = AsyncEvents.of(session, request.events());
    HcaObject object = session.hca().create(QpCommands.createTarget(xrcd.domain()));
    return ofTarget(xrcd, xrcd.domain().add(object), request.capabilities(), request.signalsAll())
        .made(session, events, request.userHandle());
  }

  /**
   * Opens an XRC target that exists, whoever created it.
   *
   * @param type ib_uverbs_qp_type, of which there is one that can be opened
   * @param domain handle of its XRC domain
   */
  static Made open(Session session, long userHandle, int type, int domain, int qpn)
      throws IOException {
    Refusal.require(
        type == Verbs.QPT_XRC_TGT, Errno.EINVAL, "QPs of type %d can't be opened", type);
    Xrcd xrcd = session.handles().find(Xrcd.class, domain);
    Optional<EventFile> events = AsyncEvents.of(session, -1);
    return ofTarget(xrcd, xrcd.domain().open(qpn), AbiView.of(QpCap.STRUCTURE), false)
        .made(session, events, userHandle);
  }

  private static Qp ofTarget(Xrcd xrcd, QpObject target, AbiView capabilities, boolean signalsAll) {
    xrcd.use(1);
    return new Qp(target, QpType.XRC_TGT, xrcd, List.of(), false, capabilities, signalsAll);
  }

  private static QpCommands.Shape shape(Session session, Request request) throws IOException {
    AbiView driver = request.driver();
    int sends = driver.getInt(Mlx5CreateQp.SQ_WQE_COUNT);
    int receives =
        !request.type().receives()
                || request.srq().isPresent()
                || !request.capabilities().isSet(QpCap.MAX_RECV_WR)
            ? 0
            : driver.getInt(Mlx5CreateQp.RQ_WQE_COUNT);
    int shift = driver.getInt(Mlx5CreateQp.RQ_WQE_SHIFT);
    Refusal.require(
        sends == 0 || isPowerOfTwo(sends) && sends <= MAX_WQEBBS,
        Errno.EINVAL,
        "sq_wqe_count %d is not a power of two up to %d",
        sends,
        MAX_WQEBBS);
    Refusal.require(
        receives == 0
            || isPowerOfTwo(receives) && receives <= MAX_WQEBBS && shift >= 4 && shift <= 9,
        Errno.EINVAL,
        "a receive queue can't have rq_wqe_count %d and rq_wqe_shift %d",
        receives,
        shift);
    Optional<Srq> shared =
        request.srq().isPresent() && request.type().receives()
            ? Optional.of(shared(session, request.srq().getAsInt()))
            : Optional.empty();
    OptionalInt pool =
        shared.isPresent() ? OptionalInt.of(shared.get().number()) : OptionalInt.empty();
    boolean matchesTags = shared.filter(Srq::matchesTags).isPresent();
    long bytes = ((long) receives << shift) + ((long) sends << ControlSegment.LOG_WQEBB_BYTES);
    SharedRanges.Place record =
        session
            .ranges()
            .share("QP doorbell record", driver.get(Mlx5CreateQp.DB_ADDR), DoorbellRecord.BYTES);
    try {
      // A queue pair without queues has no buffer, and the command must name some memory.
      SharedRanges.Place rings =
          bytes == 0
              ? session.ranges().share("QP", driver.get(Mlx5CreateQp.DB_ADDR), DoorbellRecord.BYTES)
              : session.ranges().share("QP buffer", driver.get(Mlx5CreateQp.BUF_ADDR), bytes);
      return new QpCommands.Shape(rings, record, sends, receives, shift, pool, matchesTags);
    } catch (IOException | RuntimeException e) {
      record.release(true);
      throw e;
    }
  }

  private static Srq shared(Session session, int handle) {
    Srq srq = session.handles().find(Srq.class, handle);
    Refusal.require(
        !srq.isOfXrc(),
        Errno.EINVAL,
        "SRQ 0x%x is of XRC, and a QP that receives in it is an XRC target",
        srq.number());
    return srq;
  }

  private static boolean isPowerOfTwo(int value) {
    return value > 0 && (value & value - 1) == 0;
  }

  int number() {
    return queuePair.number();
  }

  /** Moves the QP to another state, or changes attributes in its state. */
  void modify(Session session, QpAttributes given) {
    synchronized (queuePair) {
      change(session, given.of(type));
    }
  }

  private void change(Session session, QpAttributes given) {
    int current =
        given.has(QpAttributes.CUR_STATE)
            ? given.getInt(ModifyQp.CUR_QP_STATE)
            : QpCommands.state(object().query(QpCommands.query(number())));
    int next = given.has(QpAttributes.STATE) ? given.getInt(ModifyQp.QP_STATE) : current;
    QpTransitions.Transition transition = QpTransitions.find(type, current, next, given);
    Refusal.require(
        !given.has(QpAttributes.PORT) || given.getInt(ModifyQp.PORT_NUM) == PORT,
        Errno.EINVAL,
        "the device has no port %d, only port 1",
        given.getInt(ModifyQp.PORT_NUM));
    Refusal.require(
        !given.has(QpAttributes.QKEY) || given.getInt(ModifyQp.QKEY) >= 0,
        Errno.EPERM,
        "qkey 0x%x has its highest bit set, which only privileged programs may use",
        given.getInt(ModifyQp.QKEY));
    QpCommands.checkReads(given);
    if (transition.opcode() == 0) {
      return;
    }
    if (matchesTags
        && given.has(QpAttributes.AV)
        && given.getInt(ModifyQp.DEST_QP_NUM) == number()) {
      QpCommands.addressSelf(session.hca(), PORT, given.destination());
    }
    int newRights =
        given.has(QpAttributes.ACCESS_FLAGS)
            ? given.getInt(ModifyQp.QP_ACCESS_FLAGS)
            : queuePair.rights();
    int newReads =
        given.has(QpAttributes.MAX_DEST_RD_ATOMIC)
            ? given.getInt(ModifyQp.MAX_DEST_RD_ATOMIC)
            : queuePair.reads();
    byte[] unused =
        object()
            .modify(
                QpCommands.modify(
                    session.hca(),
                    number(),
                    type,
                    transition.opcode(),
                    given,
                    PORT,
                    newRights,
                    newReads));
    boolean forgets = next == QpTransitions.RESET;
    queuePair.keep(forgets ? 0 : newRights, forgets ? 0 : newReads);
  }

  /** The attributes, as {@link QueryQpResp}. */
  AbiView query() {
    return QpCommands.attributes(object().query(QpCommands.query(number())))
        .set(QueryQpResp.CAP, capabilities)
        .set(QueryQpResp.SQ_SIG_ALL, signalsAll);
  }

  /** Events that the program has read, once the QP is destroyed. */
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
    if (xrcd == null) {
      object().close();
    } else {
      xrcd.domain().close(queuePair);
      xrcd.use(-1);
    }
    eventsReported = events.stream().mapToInt(EventRouter.Route::end).sum();
    for (SharedRanges.Place place : places) {
      place.release(alive);
    }
  }
}
