package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A queue pair whose queues lie in memory of the program. */
final class Qp implements Handles.OnDevice {
  private static final int MAX_WQEBBS = 1 << 15;

  // mlx5-abi.h: MLX5_QP_FLAG_*.
  private static final int FLAG_SCATTER_CQE = 2;
  private static final int FLAG_ALLOW_SCATTER_CQE = 0x100;
  private static final int FLAG_UAR_PAGE_INDEX = 0x400;

  private final HcaObject object;
  private final QpType type;
  private final SharedRanges.Place rings;
  private final SharedRanges.Place record;
  private final Fields capabilities;
  private final boolean signalsAll;
  private final List<EventRouter.Route> events = new ArrayList<>();
  private int eventsReported;
  private int port = 1;
  private int rights;
  private int reads;

  private Qp(
      HcaObject object,
      QpType type,
      QpCommands.Shape shape,
      Fields capabilities,
      boolean signalsAll) {
    this.object = object;
    this.type = type;
    rings = shape.rings();
    record = shape.record();
    this.capabilities = capabilities;
    this.signalsAll = signalsAll;
  }

  /**
   * What a program asks for, whichever way.
   *
   * @param srq handle of the shared receive queue, if it has one
   * @param capabilities ib_uverbs_qp_cap, 20 bytes
   * @param events descriptor of the file for asynchronous events; -1 for the context's first
   */
  record Request(
      long userHandle,
      QpType type,
      int pd,
      int sendCq,
      int receiveCq,
      OptionalInt srq,
      Fields capabilities,
      boolean signalsAll,
      int flags,
      int events,
      Fields driver) {}

  /** A new queue pair, and what the program is told of it. */
  record Made(int handle, int number, Fields capabilities) {}

  static Made create(Session session, Request request) throws IOException {
    Refusal.require(request.flags() == 0, Errno.EOPNOTSUPP, "create_flags 0x%x", request.flags());
    Pd pd = session.handles().find(Pd.class, request.pd());
    Cq sends = session.handles().find(Cq.class, request.sendCq());
    Cq receives = session.handles().find(Cq.class, request.receiveCq());
    Fields driver = request.driver();
    int flags = driver.u32(28);
    Refusal.require(
        (flags & ~(FLAG_SCATTER_CQE | FLAG_ALLOW_SCATTER_CQE | FLAG_UAR_PAGE_INDEX)) == 0,
        Errno.EINVAL,
        "driver flags 0x%x of a queue pair",
        flags);
    Refusal.require(
        (flags & FLAG_UAR_PAGE_INDEX) != 0,
        Errno.EOPNOTSUPP,
        "the program's libmlx5 does not know UAR pages by number");
    Uar uar = Uar.numbered(session, driver.u32(36));
    Optional<EventFile> events = AsyncEvents.of(session, request.events());
    QpCommands.Shape shape = shape(session, request);
    try {
      HcaObject object =
          session
              .hca()
              .create(
                  QpCommands.create(
                      request.type(),
                      shape,
                      pd.number(),
                      uar.number(),
                      driver.u32(32) & 0xffffff,
                      sends.number(),
                      receives.number()));
      Fields capabilities = request.capabilities();
      if (shape.receives() > 0) {
        // What the queue has, which may be more than what was asked for.
        capabilities
            .u32(4, shape.receives())
            .u32(12, (1 << shape.logReceiveStride()) / DataSegment.BYTES);
      }
      Qp qp = new Qp(object, request.type(), shape, capabilities, request.signalsAll());
      events.ifPresent(
          file ->
              qp.events.addAll(
                  AsyncEvents.route(
                      session, object, AsyncEvents.OF_QUEUE_PAIR, file, request.userHandle())));
      return new Made(session.handles().add(qp), object.number(), capabilities);
    } catch (RuntimeException e) {
      shape.record().release(true);
      shape.rings().release(true);
      throw e;
    }
  }

  private static QpCommands.Shape shape(Session session, Request request) throws IOException {
    Fields driver = request.driver();
    int sends = driver.u32(16);
    int receives =
        request.srq().isPresent() || request.capabilities().u32(4) == 0 ? 0 : driver.u32(20);
    int shift = driver.u32(24);
    Refusal.require(
        sends == 0 || isPowerOfTwo(sends) && sends <= MAX_WQEBBS,
        Errno.EINVAL,
        "sq_wqe_count %d is no power of two up to %d",
        sends,
        MAX_WQEBBS);
    Refusal.require(
        receives == 0
            || isPowerOfTwo(receives) && receives <= MAX_WQEBBS && shift >= 4 && shift <= 9,
        Errno.EINVAL,
        "rq_wqe_count %d with rq_wqe_shift %d",
        receives,
        shift);
    OptionalInt pool =
        request.srq().isPresent()
            ? OptionalInt.of(session.handles().find(Srq.class, request.srq().getAsInt()).number())
            : OptionalInt.empty();
    long bytes = ((long) receives << shift) + ((long) sends << ControlSegment.LOG_WQEBB_BYTES);
    SharedRanges.Place record =
        session.ranges().share("QP doorbell record", driver.u64(8), DoorbellRecord.BYTES);
    try {
      // A queue pair without queues has no buffer, and the command must name some memory.
      SharedRanges.Place rings =
          bytes == 0
              ? session.ranges().share("QP", driver.u64(8), DoorbellRecord.BYTES)
              : session.ranges().share("QP buffer", driver.u64(0), bytes);
      return new QpCommands.Shape(rings, record, sends, receives, shift, pool);
    } catch (IOException | RuntimeException e) {
      record.release(true);
      throw e;
    }
  }

  private static boolean isPowerOfTwo(int value) {
    return value > 0 && (value & value - 1) == 0;
  }

  int number() {
    return object.number();
  }

  /** Moves the queue pair, or changes attributes of it where it is. */
  void modify(Session session, QpAttributes given) {
    int current =
        given.has(QpAttributes.CUR_STATE)
            ? given.currentState()
            : QpCommands.state(object.query(QpCommands.query(number())));
    int next = given.has(QpAttributes.STATE) ? given.state() : current;
    QpTransitions.Transition transition = QpTransitions.find(type, current, next, given);
    Refusal.require(
        !given.has(QpAttributes.PORT) || given.port() == 1,
        Errno.EINVAL,
        "port %d: this device has port 1 only",
        given.port());
    Refusal.require(
        !given.has(QpAttributes.QKEY) || given.qkey() >= 0,
        Errno.EPERM,
        "qkey 0x%x: keys with the highest bit set are for privileged programs",
        given.qkey());
    QpCommands.checkReads(given);
    if (transition.opcode() == 0) {
      return;
    }
    int newRights = given.has(QpAttributes.ACCESS_FLAGS) ? given.access() : rights;
    int newReads = given.has(QpAttributes.MAX_DEST_RD_ATOMIC) ? given.maxDestinationReads() : reads;
    byte[] output =
        object.modify(
            QpCommands.modify(
                session.hca(),
                number(),
                type,
                transition.opcode(),
                given,
                port,
                newRights,
                newReads));
    assert output.length > 0;
    rights = newRights;
    reads = newReads;
    if (next == QpTransitions.RESET) {
      rights = 0;
      reads = 0;
    }
  }

  /** Mirrors {@code ib_uverbs_query_qp_resp}. */
  Fields query() {
    Fields attributes = QpCommands.attributes(object.query(QpCommands.query(number())));
    for (int at = 0; at < 20; at += 4) {
      attributes.u32(64 + at, capabilities.u32(at));
    }
    return attributes.u8(122, signalsAll ? 1 : 0);
  }

  /** Mirrors {@code ib_uverbs_destroy_qp_resp}: events that the program read. */
  Fields eventsReported() {
    return Fields.of(4).u32(0, eventsReported);
  }

  @Override
  public HcaObject object() {
    return object;
  }

  @Override
  public int rank() {
    return ObjectKind.QUEUE_PAIR.ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    object.close();
    eventsReported = events.stream().mapToInt(EventRouter.Route::end).sum();
    record.release(alive);
    rings.release(alive);
  }
}
