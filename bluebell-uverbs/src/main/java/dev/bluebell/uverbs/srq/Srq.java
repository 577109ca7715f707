package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.SrqAbi.Mlx5CreateSrq;
import dev.bluebell.hca.uverbs.SrqAbi.QuerySrqResp;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.NextSegment;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.cq.Cq;
import dev.bluebell.uverbs.event.AsyncEvents;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.pd.Xrcd;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.EventRouter;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue in memory of the client. Mirrors {@code mlx5_ib srq.c:
 * mlx5_ib_create_srq}.
 */
public final class Srq implements Handles.OnDevice {
  private static final int MIN_STRIDE = NextSegment.BYTES + DataSegment.BYTES;

  // ib_verbs.h: ib_srq_attr_mask.
  private static final int MAX_WR = 1;
  private static final int LIMIT = 2;

  private final HcaObject object;
  private final SrqCommands commands;
  private final @Nullable Xrcd xrcd;
  private final SrqCommands.Shape shape;
  private final List<EventRouter.Route> events = new ArrayList<>();
  private int eventsReported;

  private Srq(
      HcaObject object, SrqCommands commands, @Nullable Xrcd xrcd, SrqCommands.Shape shape) {
    this.object = object;
    this.commands = commands;
    this.xrcd = xrcd;
    this.shape = shape;
    if (xrcd != null) {
      xrcd.use(1);
    }
  }

  private int entries() {
    return 1 << shape.logEntries();
  }

  private int segments() {
    return ((1 << shape.logStride()) - NextSegment.BYTES) / DataSegment.BYTES;
  }

  /**
   * A request to create an SRQ, in any form of the call.
   *
   * @param type ib_uverbs_srq_type: basic, of XRC or of tag matching
   * @param xrcd handle of the XRC domain, for an SRQ of XRC
   * @param cq handle of the completion queue, for an SRQ of XRC and one that matches tags
   * @param tags capacity of the tag list, for an SRQ that matches tags
   * @param events descriptor of the file for asynchronous events; -1 for the context's first
   * @param driver {@link Mlx5CreateSrq}
   */
  public record Request(
      long userHandle,
      int type,
      int pd,
      int xrcd,
      int cq,
      int tags,
      int maxWr,
      int maxSge,
      int limit,
      int events,
      View driver) {}

  /** A new SRQ, and the answer to the client. */
  record Made(int handle, int maxWr, int maxSge, int number) {}

  static Made create(Session session, Request request) throws IOException {
    Refusal.require(
        request.type() == Verbs.SRQT_BASIC
            || request.type() == Verbs.SRQT_XRC
            || request.type() == Verbs.SRQT_TM,
        Errno.EOPNOTSUPP,
        "there are no SRQs of type %d",
        request.type());
    View cap = Capabilities.general(session.hca());
    int mostEntries = 1 << cap.getInt(CmdHcaCap.LOG_MAX_SRQ_SZ);
    int mostSegments =
        (cap.getInt(CmdHcaCap.MAX_WQE_SZ_RQ) - NextSegment.BYTES) / DataSegment.BYTES;
    Refusal.require(
        request.maxWr() >= 0
            && request.maxWr() < mostEntries
            && request.maxSge() >= 0
            && request.maxSge() <= mostSegments
            && Integer.compareUnsigned(request.limit(), request.maxWr()) <= 0,
        Errno.EINVAL,
        "an SRQ can't have %d requests of %d segments with limit %d",
        request.maxWr(),
        request.maxSge(),
        request.limit());
    Pd pd = session.handles().find(Pd.class, request.pd());
    int logEntries = ceilLog2(request.maxWr() + 1);
    int logStride =
        ceilLog2(Math.max(MIN_STRIDE, NextSegment.BYTES + request.maxSge() * DataSegment.BYTES));
    View driver = request.driver();
    Refusal.require(
        (driver.getInt(Mlx5CreateSrq.FLAGS) & ~Mlx5.SRQ_FLAG_SIGNATURE) == 0,
        Errno.EINVAL,
        "an SRQ can't have driver flags 0x%x",
        driver.getInt(Mlx5CreateSrq.FLAGS));
    @Nullable Xrcd xrcd =
        request.type() == Verbs.SRQT_XRC
            ? session.handles().find(Xrcd.class, request.xrcd())
            : null;
    SrqCommands commands =
        switch (request.type()) {
          case Verbs.SRQT_XRC -> ofXrc(session, Objects.requireNonNull(xrcd), request, driver);
          case Verbs.SRQT_TM -> tagMatching(session, cap, request, driver);
          default -> new RmpCommands();
        };
    Optional<EventFile> events = AsyncEvents.of(session, request.events());
    boolean signed = driver.isSet(Mlx5CreateSrq.FLAGS);
    SrqCommands.Shape shape = share(session, driver, pd.number(), logEntries, logStride, signed);
    HcaObject object;
    try {
      object = session.hca().create(commands.create(shape));
    } catch (RuntimeException e) {
      shape.release(true);
      throw e;
    }
    Srq srq = new Srq(object, commands, xrcd, shape);
    try {
      srq.arm(request.limit());
      events.ifPresent(
          file ->
              AsyncEvents.route(
                  session,
                  object,
                  AsyncEvents.OF_SHARED_RECEIVES,
                  file,
                  request.userHandle(),
                  srq.events));
    } catch (RuntimeException e) {
      srq.destroy(true);
      throw e;
    }
    return new Made(session.handles().add(srq), srq.entries() - 1, srq.segments(), object.number());
  }

  /** Shares the memory that a request names with the device. */
  private static SrqCommands.Shape share(
      Session session, View driver, int pd, int logEntries, int logStride, boolean signed)
      throws IOException {
    SharedRanges ranges = session.ranges();
    SharedRanges.Place ring =
        ranges.share(
            "SRQ buffer", driver.get(Mlx5CreateSrq.BUF_ADDR), 1L << logEntries + logStride);
    try {
      SharedRanges.Place record =
          ranges.share(
              "SRQ doorbell record", driver.get(Mlx5CreateSrq.DB_ADDR), DoorbellRecord.POOL_BYTES);
      return new SrqCommands.Shape(ring, record, pd, logEntries, logStride, signed);
    } catch (IOException | RuntimeException e) {
      ring.release(true);
      throw e;
    }
  }

  private static SrqCommands ofXrc(Session session, Xrcd xrcd, Request request, View driver) {
    return new XrcSrqCommands(
        xrcd.domain().number(),
        session.handles().find(Cq.class, request.cq()).number(),
        driver.getInt(Mlx5CreateSrq.UIDX) & 0xffffff);
  }

  private static SrqCommands tagMatching(Session session, View cap, Request request, View driver) {
    int most = (1 << cap.getInt(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ)) - 1;
    Refusal.require(
        request.tags() > 0 && request.tags() <= most,
        Errno.EINVAL,
        "an SRQ can't hold %d tags, only 1 to %d",
        request.tags(),
        most);
    return new XrqCommands(
        session.handles().find(Cq.class, request.cq()).number(),
        driver.getInt(Mlx5CreateSrq.UIDX) & 0xffffff,
        // One entry always stays free.
        ceilLog2(request.tags() + 1));
  }

  private static int ceilLog2(int value) {
    return 32 - Integer.numberOfLeadingZeros(value - 1);
  }

  public int number() {
    return object.number();
  }

  /** True for an SRQ that matches tags. */
  public boolean matchesTags() {
    return commands instanceof XrqCommands;
  }

  /** True for an SRQ of XRC; queue pairs of other services can't use it. */
  public boolean isOfXrc() {
    return xrcd != null;
  }

  /** Changes attributes; the device supports only the limit. */
  void modify(int mask, int limit) {
    Refusal.require((mask & MAX_WR) == 0, Errno.EINVAL, "SRQ 0x%x can't be resized", number());
    if ((mask & LIMIT) != 0) {
      Refusal.require(
          Integer.compareUnsigned(limit, entries()) < 0,
          Errno.EINVAL,
          "SRQ 0x%x has %d requests and can't have limit %d",
          number(),
          entries() - 1,
          limit);
      arm(limit);
    }
  }

  private void arm(int limit) {
    byte[] unused = object.modify(commands.arm(number(), limit));
  }

  /** The sizes and the limit, as {@link QuerySrqResp}. */
  View query() {
    int limit = commands.limit(object.query(commands.query(number())));
    return View.of(QuerySrqResp.STRUCTURE)
        .set(QuerySrqResp.MAX_WR, entries() - 1)
        .set(QuerySrqResp.MAX_SGE, segments())
        .set(QuerySrqResp.SRQ_LIMIT, limit);
  }

  /** Events that the client has read, once the SRQ is destroyed. */
  int eventsReported() {
    return eventsReported;
  }

  @Override
  public HcaObject object() {
    return object;
  }

  @Override
  public int rank() {
    return commands.kind().ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    object.close();
    eventsReported = events.stream().mapToInt(EventRouter.Route::end).sum();
    if (xrcd != null) {
      xrcd.use(-1);
    }
    shape.release(alive);
  }
}
