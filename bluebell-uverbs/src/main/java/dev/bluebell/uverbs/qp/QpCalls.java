package dev.bluebell.uverbs.qp;

import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.Mlx5;
import dev.bluebell.uverbs.abi.Verbs;
import dev.bluebell.uverbs.abi.ioctl.CreateQpAttrs;
import dev.bluebell.uverbs.abi.ioctl.DestroyQpAttrs;
import dev.bluebell.uverbs.abi.structure.CreateQp;
import dev.bluebell.uverbs.abi.structure.CreateQpResp;
import dev.bluebell.uverbs.abi.structure.DestroyQp;
import dev.bluebell.uverbs.abi.structure.DestroyQpResp;
import dev.bluebell.uverbs.abi.structure.ExCreateQp;
import dev.bluebell.uverbs.abi.structure.ExCreateQpResp;
import dev.bluebell.uverbs.abi.structure.ExModifyQpResp;
import dev.bluebell.uverbs.abi.structure.Mlx5CreateQp;
import dev.bluebell.uverbs.abi.structure.Mlx5CreateQpResp;
import dev.bluebell.uverbs.abi.structure.Mlx5ModifyQpResp;
import dev.bluebell.uverbs.abi.structure.ModifyQp;
import dev.bluebell.uverbs.abi.structure.OpenQp;
import dev.bluebell.uverbs.abi.structure.QpCap;
import dev.bluebell.uverbs.abi.structure.QueryQp;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.function.IntSupplier;

/** The calls about queue pairs. */
public final class QpCalls {
  // No handle.
  private static final int NONE = -1;

  private QpCalls() {}

  public static void create(Session session, IoctlCall call) throws IOException {
    int number = call.handle(CreateQpAttrs.TYPE);
    IntSupplier driverFlags =
        () ->
            call.structure(CreateQpAttrs.UHW_IN, Mlx5CreateQp.STRUCTURE).getInt(Mlx5CreateQp.FLAGS);
    if (isTarget(number, driverFlags)) {
      createTarget(session, call);
      return;
    }
    // First, because types that are not supported come without queues and domains.
    QpType type = QpType.of(number, driverFlags);
    int flags = call.handle(CreateQpAttrs.FLAGS, 0);
    Refusal.require(
        type.receives() || !call.has(CreateQpAttrs.SRQ_HANDLE),
        Errno.EINVAL,
        "a QP of XRC has no SRQ of its own: its messages name them");
    Qp.Made made =
        Qp.create(
            session,
            new Qp.Request(
                call.number(CreateQpAttrs.USER_HANDLE),
                type,
                call.handle(type.sends() ? CreateQpAttrs.PD_HANDLE : CreateQpAttrs.XRCD_HANDLE),
                type.sends() ? call.handle(CreateQpAttrs.SEND_CQ_HANDLE) : 0,
                type.receives() ? call.handle(CreateQpAttrs.RECV_CQ_HANDLE) : 0,
                call.has(CreateQpAttrs.SRQ_HANDLE)
                    ? OptionalInt.of(call.handle(CreateQpAttrs.SRQ_HANDLE))
                    : OptionalInt.empty(),
                call.structure(CreateQpAttrs.CAP, QpCap.STRUCTURE),
                (flags & Verbs.QP_CREATE_SQ_SIG_ALL) != 0,
                flags & ~Verbs.QP_CREATE_SQ_SIG_ALL,
                call.handle(CreateQpAttrs.EVENT_FD, -1),
                call.structure(CreateQpAttrs.UHW_IN, Mlx5CreateQp.STRUCTURE)));
    answer(call, made);
  }

  private static void answer(IoctlCall call, Qp.Made made) {
    call.put(CreateQpAttrs.RESP_CAP, made.capabilities());
    call.putInt(CreateQpAttrs.RESP_QP_NUM, made.number());
    call.put(CreateQpAttrs.UHW_OUT, AbiView.of(Mlx5CreateQpResp.STRUCTURE));
    call.putHandle(CreateQpAttrs.HANDLE, made.handle());
  }

  /** True for a DC target, which has no queues of its own. */
  private static boolean isTarget(int type, IntSupplier driverFlags) {
    return type == Verbs.QPT_DRIVER && (driverFlags.getAsInt() & Mlx5.QP_FLAG_TYPE_DCT) != 0;
  }

  private static void createTarget(Session session, IoctlCall call) throws IOException {
    Qp.Made made =
        target(
            session,
            call.handle(CreateQpAttrs.PD_HANDLE),
            call.handle(CreateQpAttrs.RECV_CQ_HANDLE, NONE),
            call.handle(CreateQpAttrs.SRQ_HANDLE, NONE),
            call.structure(CreateQpAttrs.CAP, QpCap.STRUCTURE),
            call.structure(CreateQpAttrs.UHW_IN, Mlx5CreateQp.STRUCTURE));
    answer(call, made);
  }

  private static Qp.Made target(
      Session session, int pd, int cq, int srq, AbiView capabilities, AbiView driver)
      throws IOException {
    Refusal.require(
        cq != NONE && srq != NONE, Errno.EINVAL, "a DCT needs a CQ and a shared receive queue");
    Dct made = Dct.create(session, pd, cq, srq, capabilities, driver);
    // Its number comes with the transition to RTR.
    return new Qp.Made(session.handles().add(made), 0, capabilities);
  }

  public static void create(Session session, WriteCall call) throws IOException {
    AbiView in = call.in();
    if (isTarget(in.getInt(CreateQp.QP_TYPE), () -> driverFlags(call))) {
      answer(
          call,
          target(
              session,
              in.getInt(CreateQp.PD_HANDLE),
              in.getInt(CreateQp.RECV_CQ_HANDLE),
              in.isSet(CreateQp.IS_SRQ) ? in.getInt(CreateQp.SRQ_HANDLE) : NONE,
              in.at(CreateQp.CAP),
              call.driverIn()));
      return;
    }
    Qp.Request request =
        new Qp.Request(
            in.get(CreateQp.USER_HANDLE),
            QpType.of(in.getInt(CreateQp.QP_TYPE), () -> driverFlags(call)),
            in.getInt(CreateQp.PD_HANDLE),
            in.getInt(CreateQp.SEND_CQ_HANDLE),
            in.getInt(CreateQp.RECV_CQ_HANDLE),
            in.isSet(CreateQp.IS_SRQ)
                ? OptionalInt.of(in.getInt(CreateQp.SRQ_HANDLE))
                : OptionalInt.empty(),
            in.at(CreateQp.CAP),
            in.isSet(CreateQp.SQ_SIG_ALL),
            0,
            -1,
            call.driverIn());
    answer(call, Qp.create(session, request));
  }

  public static void createExtended(Session session, WriteCall call) throws IOException {
    AbiView in = call.in();
    if (isTarget(in.getInt(ExCreateQp.QP_TYPE), () -> driverFlags(call))) {
      answer(
          call,
          target(
              session,
              in.getInt(ExCreateQp.PD_HANDLE),
              in.getInt(ExCreateQp.RECV_CQ_HANDLE),
              in.isSet(ExCreateQp.IS_SRQ) ? in.getInt(ExCreateQp.SRQ_HANDLE) : NONE,
              in.at(ExCreateQp.CAP),
              call.driverIn()));
      return;
    }
    Qp.Request request =
        new Qp.Request(
            in.get(ExCreateQp.USER_HANDLE),
            QpType.of(in.getInt(ExCreateQp.QP_TYPE), () -> driverFlags(call)),
            in.getInt(ExCreateQp.PD_HANDLE),
            in.getInt(ExCreateQp.SEND_CQ_HANDLE),
            in.getInt(ExCreateQp.RECV_CQ_HANDLE),
            in.isSet(ExCreateQp.IS_SRQ)
                ? OptionalInt.of(in.getInt(ExCreateQp.SRQ_HANDLE))
                : OptionalInt.empty(),
            in.at(ExCreateQp.CAP),
            in.isSet(ExCreateQp.SQ_SIG_ALL),
            in.getInt(ExCreateQp.CREATE_FLAGS),
            -1,
            call.driverIn());
    answer(call, Qp.create(session, request));
  }

  private static int driverFlags(WriteCall call) {
    return call.driverIn().getInt(Mlx5CreateQp.FLAGS);
  }

  // The answer to the other form is shorter by what this one says behind it.
  private static void answer(WriteCall call, Qp.Made made) {
    AbiView base =
        AbiView.of(CreateQpResp.STRUCTURE)
            .set(CreateQpResp.QP_HANDLE, made.handle())
            .set(CreateQpResp.QPN, made.number())
            .set(CreateQpResp.CAP, made.capabilities());
    call.reply(
        AbiView.of(ExCreateQpResp.STRUCTURE)
            .set(ExCreateQpResp.BASE, base)
            .set(ExCreateQpResp.RESPONSE_LENGTH, ExCreateQpResp.STRUCTURE.bytes()));
    call.replyOfDriver(AbiView.of(Mlx5CreateQpResp.STRUCTURE));
  }

  public static void open(Session session, WriteCall call) throws IOException {
    AbiView in = call.in();
    answer(
        call,
        Qp.open(
            session,
            in.get(OpenQp.USER_HANDLE),
            in.getInt(OpenQp.QP_TYPE),
            in.getInt(OpenQp.PD_HANDLE),
            in.getInt(OpenQp.QPN)));
  }

  public static void modify(Session session, WriteCall call) {
    QpAttributes given = new QpAttributes(call.in());
    Refusal.require(
        !isTarget(session, given.getInt(ModifyQp.QP_HANDLE)),
        Errno.EINVAL,
        "the number of a DCT needs the extended form of MODIFY_QP");
    session.handles().find(Qp.class, given.getInt(ModifyQp.QP_HANDLE)).modify(session, given);
  }

  private static boolean isTarget(Session session, int handle) {
    return session.handles().names(Dct.class, handle);
  }

  public static void modifyExtended(Session session, WriteCall call) {
    QpAttributes given = new QpAttributes(call.in());
    int handle = given.getInt(ModifyQp.QP_HANDLE);
    int dctn = 0;
    if (isTarget(session, handle)) {
      dctn = session.handles().find(Dct.class, handle).modify(session, given);
    } else {
      modify(session, call);
    }
    call.reply(
        AbiView.of(ExModifyQpResp.STRUCTURE)
            .set(ExModifyQpResp.RESPONSE_LENGTH, ExModifyQpResp.STRUCTURE.bytes()));
    call.replyOfDriver(
        AbiView.of(Mlx5ModifyQpResp.STRUCTURE)
            .set(Mlx5ModifyQpResp.RESPONSE_LENGTH, Mlx5ModifyQpResp.STRUCTURE.bytes())
            .set(Mlx5ModifyQpResp.DCTN, dctn));
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

  private static AbiView destroy(Session session, int handle) throws IOException {
    if (isTarget(session, handle)) {
      session.handles().destroy(Dct.class, handle);
      return AbiView.of(DestroyQpResp.STRUCTURE);
    }
    Qp qp = session.handles().destroy(Qp.class, handle);
    return AbiView.of(DestroyQpResp.STRUCTURE)
        .set(DestroyQpResp.EVENTS_REPORTED, qp.eventsReported());
  }
}
