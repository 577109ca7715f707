package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.SrqAbi.CreateSrq;
import dev.bluebell.hca.uverbs.SrqAbi.CreateSrqAttrs;
import dev.bluebell.hca.uverbs.SrqAbi.CreateSrqResp;
import dev.bluebell.hca.uverbs.SrqAbi.CreateXsrq;
import dev.bluebell.hca.uverbs.SrqAbi.DestroySrq;
import dev.bluebell.hca.uverbs.SrqAbi.DestroySrqAttrs;
import dev.bluebell.hca.uverbs.SrqAbi.DestroySrqResp;
import dev.bluebell.hca.uverbs.SrqAbi.Mlx5CreateSrq;
import dev.bluebell.hca.uverbs.SrqAbi.Mlx5CreateSrqResp;
import dev.bluebell.hca.uverbs.SrqAbi.ModifySrq;
import dev.bluebell.hca.uverbs.SrqAbi.QuerySrq;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about shared receive queues. */
public final class SrqCalls {
  private SrqCalls() {}

  public static void create(Session session, IoctlCall call) throws IOException {
    Srq.Made made =
        Srq.create(
            session,
            new Srq.Request(
                call.number(CreateSrqAttrs.USER_HANDLE),
                call.handle(CreateSrqAttrs.TYPE),
                call.handle(CreateSrqAttrs.PD_HANDLE),
                call.handle(CreateSrqAttrs.XRCD_HANDLE, 0),
                call.handle(CreateSrqAttrs.CQ_HANDLE, 0),
                call.handle(CreateSrqAttrs.MAX_NUM_TAGS, 0),
                call.handle(CreateSrqAttrs.MAX_WR),
                call.handle(CreateSrqAttrs.MAX_SGE),
                call.handle(CreateSrqAttrs.LIMIT),
                call.handle(CreateSrqAttrs.EVENT_FD, -1),
                call.structure(CreateSrqAttrs.UHW_IN, Mlx5CreateSrq.STRUCTURE)));
    call.putInt(CreateSrqAttrs.RESP_MAX_WR, made.maxWr());
    call.putInt(CreateSrqAttrs.RESP_MAX_SGE, made.maxSge());
    call.putInt(CreateSrqAttrs.RESP_SRQ_NUM, made.number());
    call.put(CreateSrqAttrs.UHW_OUT, ofDriver(made));
    call.putHandle(CreateSrqAttrs.HANDLE, made.handle());
  }

  public static void create(Session session, WriteCall call) throws IOException {
    View in = call.in();
    answer(
        call,
        Srq.create(
            session,
            new Srq.Request(
                in.get(CreateSrq.USER_HANDLE),
                Verbs.SRQT_BASIC,
                in.getInt(CreateSrq.PD_HANDLE),
                0,
                0,
                0,
                in.getInt(CreateSrq.MAX_WR),
                in.getInt(CreateSrq.MAX_SGE),
                in.getInt(CreateSrq.SRQ_LIMIT),
                -1,
                call.driverIn())));
  }

  public static void createExtended(Session session, WriteCall call) throws IOException {
    View in = call.in();
    answer(
        call,
        Srq.create(
            session,
            new Srq.Request(
                in.get(CreateXsrq.USER_HANDLE),
                in.getInt(CreateXsrq.SRQ_TYPE),
                in.getInt(CreateXsrq.PD_HANDLE),
                in.getInt(CreateXsrq.XRCD_HANDLE),
                in.getInt(CreateXsrq.CQ_HANDLE),
                in.getInt(CreateXsrq.MAX_NUM_TAGS),
                in.getInt(CreateXsrq.MAX_WR),
                in.getInt(CreateXsrq.MAX_SGE),
                in.getInt(CreateXsrq.SRQ_LIMIT),
                -1,
                call.driverIn())));
  }

  private static void answer(WriteCall call, Srq.Made made) {
    call.reply(
        View.of(CreateSrqResp.STRUCTURE)
            .set(CreateSrqResp.SRQ_HANDLE, made.handle())
            .set(CreateSrqResp.MAX_WR, made.maxWr())
            .set(CreateSrqResp.MAX_SGE, made.maxSge())
            .set(CreateSrqResp.SRQN, made.number()));
    call.replyOfDriver(ofDriver(made));
  }

  private static View ofDriver(Srq.Made made) {
    return View.of(Mlx5CreateSrqResp.STRUCTURE).set(Mlx5CreateSrqResp.SRQN, made.number());
  }

  public static void modify(Session session, WriteCall call) {
    View in = call.in();
    session
        .handles()
        .find(Srq.class, in.getInt(ModifySrq.SRQ_HANDLE))
        .modify(in.getInt(ModifySrq.ATTR_MASK), in.getInt(ModifySrq.SRQ_LIMIT));
  }

  public static void query(Session session, WriteCall call) {
    call.reply(session.handles().find(Srq.class, call.in().getInt(QuerySrq.SRQ_HANDLE)).query());
  }

  public static void destroy(Session session, WriteCall call) throws IOException {
    call.reply(destroy(session, call.in().getInt(DestroySrq.SRQ_HANDLE)));
  }

  public static void destroy(Session session, IoctlCall call) throws IOException {
    call.put(DestroySrqAttrs.RESP, destroy(session, call.handle(DestroySrqAttrs.HANDLE)));
  }

  private static View destroy(Session session, int handle) throws IOException {
    Srq srq = session.handles().destroy(Srq.class, handle);
    return View.of(DestroySrqResp.STRUCTURE)
        .set(DestroySrqResp.EVENTS_REPORTED, srq.eventsReported());
  }
}
