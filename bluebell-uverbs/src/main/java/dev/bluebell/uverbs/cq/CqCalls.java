package dev.bluebell.uverbs.cq;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CqAbi.CqModeration;
import dev.bluebell.hca.uverbs.CqAbi.CreateCq;
import dev.bluebell.hca.uverbs.CqAbi.CreateCqAttrs;
import dev.bluebell.hca.uverbs.CqAbi.CreateCqResp;
import dev.bluebell.hca.uverbs.CqAbi.DestroyCq;
import dev.bluebell.hca.uverbs.CqAbi.DestroyCqAttrs;
import dev.bluebell.hca.uverbs.CqAbi.DestroyCqResp;
import dev.bluebell.hca.uverbs.CqAbi.ExCreateCq;
import dev.bluebell.hca.uverbs.CqAbi.ExCreateCqResp;
import dev.bluebell.hca.uverbs.CqAbi.ExModifyCq;
import dev.bluebell.hca.uverbs.CqAbi.Mlx5CreateCq;
import dev.bluebell.hca.uverbs.CqAbi.Mlx5CreateCqResp;
import dev.bluebell.hca.uverbs.CqAbi.ResizeCq;
import dev.bluebell.hca.uverbs.CqAbi.ResizeCqResp;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about completion queues. */
public final class CqCalls {
  // ib_verbs.h: ib_cq_attr_mask.
  private static final int MODERATE = 1;

  // mlx5 cq.h: MLX5_MAX_CQ_PERIOD.
  private static final int MAX_PERIOD = 0xfff;

  private CqCalls() {}

  public static void create(Session session, IoctlCall call) throws IOException {
    Cq.Made made =
        Cq.create(
            session,
            new Cq.Request(
                call.number(CreateCqAttrs.USER_HANDLE),
                call.handle(CreateCqAttrs.CQE),
                call.handle(CreateCqAttrs.COMP_CHANNEL, -1),
                call.handle(CreateCqAttrs.COMP_VECTOR),
                call.handle(CreateCqAttrs.FLAGS, 0),
                call.handle(CreateCqAttrs.EVENT_FD, -1),
                call.structure(CreateCqAttrs.UHW_IN, Mlx5CreateCq.STRUCTURE)));
    call.putInt(CreateCqAttrs.RESP_CQE, made.cqe());
    call.put(CreateCqAttrs.UHW_OUT, ofDriver(made));
    call.putHandle(CreateCqAttrs.HANDLE, made.handle());
  }

  /** After the response address, the plain form has the same fields as the extended one. */
  public static void create(Session session, WriteCall call) throws IOException {
    create(session, call, call.in().at(CreateCq.USER_HANDLE.offset()), 0);
  }

  public static void createExtended(Session session, WriteCall call) throws IOException {
    View in = call.in();
    Refusal.require(
        !in.isSet(ExCreateCq.COMP_MASK) && !in.isSet(ExCreateCq.RESERVED),
        Errno.EINVAL,
        "a CQ can't have comp_mask 0x%x",
        in.getInt(ExCreateCq.COMP_MASK));
    create(session, call, in, in.getInt(ExCreateCq.FLAGS));
  }

  private static void create(Session session, WriteCall call, View in, int flags)
      throws IOException {
    Cq.Made made =
        Cq.create(
            session,
            new Cq.Request(
                in.get(ExCreateCq.USER_HANDLE),
                in.getInt(ExCreateCq.CQE),
                in.getInt(ExCreateCq.COMP_CHANNEL),
                in.getInt(ExCreateCq.COMP_VECTOR),
                flags,
                -1,
                call.driverIn()));
    View base =
        View.of(CreateCqResp.STRUCTURE)
            .set(CreateCqResp.CQ_HANDLE, made.handle())
            .set(CreateCqResp.CQE, made.cqe());
    // The plain form's answer lacks the last fields: the reply is truncated to its room.
    call.reply(
        View.of(ExCreateCqResp.STRUCTURE)
            .set(ExCreateCqResp.BASE, base)
            .set(ExCreateCqResp.RESPONSE_LENGTH, ExCreateCqResp.STRUCTURE.bytes()));
    call.replyOfDriver(ofDriver(made));
  }

  private static View ofDriver(Cq.Made made) {
    return View.of(Mlx5CreateCqResp.STRUCTURE).set(Mlx5CreateCqResp.CQN, made.number());
  }

  public static void resize(Session session, WriteCall call) throws IOException {
    Cq cq = session.handles().find(Cq.class, call.in().getInt(ResizeCq.CQ_HANDLE));
    int cqe = cq.resize(session, call.in().getInt(ResizeCq.CQE), call.driverIn());
    call.reply(View.of(ResizeCqResp.STRUCTURE).set(ResizeCqResp.CQE, cqe));
  }

  public static void modify(Session session, WriteCall call) {
    View in = call.in();
    int mask = in.getInt(ExModifyCq.ATTR_MASK);
    Refusal.require(
        mask == MODERATE, Errno.EOPNOTSUPP, "attr_mask 0x%x of a CQ is not supported", mask);
    View moderation = in.at(ExModifyCq.ATTR);
    Cq cq = session.handles().find(Cq.class, in.getInt(ExModifyCq.CQ_HANDLE));
    int period = moderation.getInt(CqModeration.CQ_PERIOD);
    Refusal.require(
        period <= MAX_PERIOD,
        Errno.EINVAL,
        "cq_period %d is longer than %d µs",
        period,
        MAX_PERIOD);
    cq.moderate(moderation.getInt(CqModeration.CQ_COUNT), period);
  }

  public static void destroy(Session session, WriteCall call) throws IOException {
    call.reply(destroy(session, call.in().getInt(DestroyCq.CQ_HANDLE)));
  }

  public static void destroy(Session session, IoctlCall call) throws IOException {
    call.put(DestroyCqAttrs.RESP, destroy(session, call.handle(DestroyCqAttrs.HANDLE)));
  }

  private static View destroy(Session session, int handle) throws IOException {
    Cq cq = session.handles().destroy(Cq.class, handle);
    return View.of(DestroyCqResp.STRUCTURE)
        .set(DestroyCqResp.COMP_EVENTS_REPORTED, cq.completionsReported())
        .set(DestroyCqResp.ASYNC_EVENTS_REPORTED, cq.failuresReported());
  }
}
