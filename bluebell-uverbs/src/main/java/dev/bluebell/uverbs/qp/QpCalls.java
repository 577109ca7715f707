package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.QpAbi.CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.CreateQpAttrs;
import dev.bluebell.hca.uverbs.QpAbi.CreateQpResp;
import dev.bluebell.hca.uverbs.QpAbi.DestroyQp;
import dev.bluebell.hca.uverbs.QpAbi.DestroyQpAttrs;
import dev.bluebell.hca.uverbs.QpAbi.DestroyQpResp;
import dev.bluebell.hca.uverbs.QpAbi.ExCreateQp;
import dev.bluebell.hca.uverbs.QpAbi.ExCreateQpResp;
import dev.bluebell.hca.uverbs.QpAbi.ExModifyQpResp;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQpResp;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5ModifyQpResp;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.hca.uverbs.QpAbi.OpenQp;
import dev.bluebell.hca.uverbs.QpAbi.QpCap;
import dev.bluebell.hca.uverbs.QpAbi.QueryQp;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.OptionalInt;

/** The calls about queue pairs. */
public final class QpCalls {
  private QpCalls() {}

  public static void create(Session session, IoctlCall call) throws IOException {
    int number = call.handle(CreateQpAttrs.TYPE);
    View driver = call.structure(CreateQpAttrs.UHW_IN, Mlx5CreateQp.STRUCTURE);
    // Checked first, because requests for unsupported types name no queues or domains.
    boolean receivesOnly =
        !QpRequest.isTarget(number, driver)
            && !QpType.of(number, driver.getInt(Mlx5CreateQp.FLAGS)).sends();
    int flags = call.handle(CreateQpAttrs.FLAGS, 0);
    Refusal.require(
        (flags & CreateFlags.CROSS_CHANNELS) == 0,
        Errno.EINVAL,
        "create_flags 0x%x are valid in the extended write command, but not in the ioctl",
        flags & CreateFlags.CROSS_CHANNELS);
    QpCreation.Made made =
        QpCreation.create(
            session,
            new QpRequest(
                call.number(CreateQpAttrs.USER_HANDLE, 0),
                number,
                call.handle(receivesOnly ? CreateQpAttrs.XRCD_HANDLE : CreateQpAttrs.PD_HANDLE),
                optional(call, CreateQpAttrs.SEND_CQ_HANDLE),
                optional(call, CreateQpAttrs.RECV_CQ_HANDLE),
                optional(call, CreateQpAttrs.SRQ_HANDLE),
                call.structure(CreateQpAttrs.CAP, QpCap.STRUCTURE),
                (flags & Verbs.QP_CREATE_SQ_SIG_ALL) != 0,
                flags & ~Verbs.QP_CREATE_SQ_SIG_ALL,
                call.handle(CreateQpAttrs.EVENT_FD, -1),
                driver));
    call.put(CreateQpAttrs.RESP_CAP, made.capabilities());
    call.putInt(CreateQpAttrs.RESP_QP_NUM, made.number());
    call.put(CreateQpAttrs.UHW_OUT, ofDriver(made));
    call.putHandle(CreateQpAttrs.HANDLE, made.handle());
  }

  private static OptionalInt optional(IoctlCall call, Attribute handle) {
    return call.has(handle) ? OptionalInt.of(call.handle(handle)) : OptionalInt.empty();
  }

  /** After the response address, the plain form has the same fields as the extended one. */
  public static void create(Session session, WriteCall call) throws IOException {
    create(session, call, call.in().at(CreateQp.USER_HANDLE.offset()), 0);
  }

  public static void createExtended(Session session, WriteCall call) throws IOException {
    create(session, call, call.in(), call.in().getInt(ExCreateQp.CREATE_FLAGS));
  }

  private static void create(Session session, WriteCall call, View in, int flags)
      throws IOException {
    answer(
        call,
        QpCreation.create(
            session,
            new QpRequest(
                in.get(ExCreateQp.USER_HANDLE),
                in.getInt(ExCreateQp.QP_TYPE),
                in.getInt(ExCreateQp.PD_HANDLE),
                OptionalInt.of(in.getInt(ExCreateQp.SEND_CQ_HANDLE)),
                OptionalInt.of(in.getInt(ExCreateQp.RECV_CQ_HANDLE)),
                in.isSet(ExCreateQp.IS_SRQ)
                    ? OptionalInt.of(in.getInt(ExCreateQp.SRQ_HANDLE))
                    : OptionalInt.empty(),
                in.copy(ExCreateQp.CAP),
                in.isSet(ExCreateQp.SQ_SIG_ALL),
                flags,
                -1,
                call.driverIn())));
  }

  // The plain form's answer lacks the last fields: the reply is truncated to its room.
  private static void answer(WriteCall call, QpCreation.Made made) {
    View base =
        View.of(CreateQpResp.STRUCTURE)
            .set(CreateQpResp.QP_HANDLE, made.handle())
            .set(CreateQpResp.QPN, made.number())
            .set(CreateQpResp.CAP, made.capabilities());
    call.reply(
        View.of(ExCreateQpResp.STRUCTURE)
            .set(ExCreateQpResp.BASE, base)
            .set(ExCreateQpResp.RESPONSE_LENGTH, ExCreateQpResp.STRUCTURE.bytes()));
    call.replyOfDriver(ofDriver(made));
  }

  private static View ofDriver(QpCreation.Made made) {
    return View.of(Mlx5CreateQpResp.STRUCTURE).set(Mlx5CreateQpResp.BFREG_INDEX, made.register());
  }

  public static void open(Session session, WriteCall call) throws IOException {
    View in = call.in();
    answer(
        call,
        QpCreation.open(
            session,
            in.get(OpenQp.USER_HANDLE),
            in.getInt(OpenQp.QP_TYPE),
            in.getInt(OpenQp.PD_HANDLE),
            in.getInt(OpenQp.QPN)));
  }

  public static void modify(Session session, WriteCall call) throws IOException {
    QpAttributes given = QpAttributes.of(call);
    int handle = given.getInt(ModifyQp.QP_HANDLE);
    int dctn = 0;
    if (isTarget(session, handle)) {
      Refusal.require(
          call.driverOut().bytes() >= Mlx5ModifyQpResp.DCTN.end(),
          Errno.EINVAL,
          "the driver's output has no room for the number of a DCT");
      dctn = session.handles().find(Dct.class, handle).modify(session, given);
    } else {
      session.handles().find(Qp.class, handle).modify(session, given);
    }
    call.reply(
        View.of(ExModifyQpResp.STRUCTURE)
            .set(ExModifyQpResp.RESPONSE_LENGTH, ExModifyQpResp.STRUCTURE.bytes()));
    call.replyOfDriver(
        View.of(Mlx5ModifyQpResp.STRUCTURE)
            .set(Mlx5ModifyQpResp.RESPONSE_LENGTH, Mlx5ModifyQpResp.STRUCTURE.bytes())
            .set(Mlx5ModifyQpResp.DCTN, dctn));
  }

  private static boolean isTarget(Session session, int handle) {
    return session.handles().names(Dct.class, handle);
  }

  public static void query(Session session, WriteCall call) {
    int handle = call.in().getInt(QueryQp.QP_HANDLE);
    call.reply(
        isTarget(session, handle)
            ? session.handles().find(Dct.class, handle).query(call.in().getInt(QueryQp.ATTR_MASK))
            : session.handles().find(Qp.class, handle).query());
  }

  public static void destroy(Session session, WriteCall call) throws IOException {
    call.reply(destroy(session, call.in().getInt(DestroyQp.QP_HANDLE)));
  }

  public static void destroy(Session session, IoctlCall call) throws IOException {
    call.put(DestroyQpAttrs.RESP, destroy(session, call.handle(DestroyQpAttrs.HANDLE)));
  }

  private static View destroy(Session session, int handle) throws IOException {
    if (isTarget(session, handle)) {
      session.handles().destroy(Dct.class, handle);
      return View.of(DestroyQpResp.STRUCTURE);
    }
    Qp qp = session.handles().destroy(Qp.class, handle);
    return View.of(DestroyQpResp.STRUCTURE).set(DestroyQpResp.EVENTS_REPORTED, qp.eventsReported());
  }
}
