package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.OptionalInt;

/**
 * The handlers that only translate between a form of call and what it is about. Layouts mirror
 * {@code ib_user_verbs.h}.
 */
final class Uverbs {
  /** Marks the extended form of a write command. */
  static final int EXTENDED = 1 << 31;

  private static final int CONTEXT_REQUEST_BYTES = 32;
  private static final int LIB_CAP_DYNAMIC_UAR = 2;
  private static final int CONTEXT_FLAG_DEVX = 1;
  private static final int CQ_DRIVER_BYTES = 32;
  private static final int QP_DRIVER_BYTES = 56;
  private static final int QP_CAP_BYTES = 20;
  private static final int OPTIONAL_MR_ACCESS = 1;

  // ib_user_ioctl_verbs.h: ib_uverbs_qp_create_flags.
  private static final int CREATE_SQ_SIG_ALL = 1 << 12;

  private Uverbs() {}

  // ---- context

  private static void checkContext(Session session, Fields driver) {
    Refusal.require(
        (driver.u64(24) & LIB_CAP_DYNAMIC_UAR) != 0,
        Errno.EOPNOTSUPP,
        "the program's libmlx5 is older than UAR pages by number (rdma-core 29)");
    session.devx().set((driver.u32(8) & CONTEXT_FLAG_DEVX) != 0);
  }

  static void getContext(Session session, WriteCall call) throws IOException {
    checkContext(session, Fields.atLeast(call.driverIn().bytes(), CONTEXT_REQUEST_BYTES));
    EventFile events = EventFile.openAsync(session);
    call.reply(Fields.of(8).u32(0, events.fd()).u32(4, session.hca().completionVectors()));
    call.replyOfDriver(DeviceQueries.context(session.hca()));
  }

  static void getContext(Session session, IoctlCall call) {
    checkContext(session, call.structure(IoctlCall.UHW_IN, CONTEXT_REQUEST_BYTES));
    call.putInt(0, session.hca().completionVectors());
    call.putLong(1, OPTIONAL_MR_ACCESS);
    call.put(IoctlCall.UHW_OUT, DeviceQueries.context(session.hca()));
  }

  static void queryContext(Session session, IoctlCall call) {
    call.putInt(0, session.hca().completionVectors());
    call.putLong(1, OPTIONAL_MR_ACCESS);
    call.put(0x1000, DeviceQueries.context(session.hca()));
  }

  static void queryDevice(Session session, WriteCall call) {
    call.reply(
        DeviceQueries.extendedDevice(session.hca(), call.out().bytes(), call.driverOut().bytes()));
    call.replyOfDriver(DeviceQueries.driverDevice());
  }

  // ---- events

  static void openAsyncEvents(Session session, IoctlCall call) throws IOException {
    call.putHandle(0, EventFile.openAsync(session).fd());
  }

  static void createCompletionChannel(Session session, WriteCall call) throws IOException {
    call.reply(Fields.of(4).u32(0, EventFile.openCompletions(session).fd()));
  }

  // ---- completion queues

  static void createCq(Session session, IoctlCall call) throws IOException {
    Cq.Made made =
        Cq.create(
            session,
            new Cq.Request(
                call.number(2),
                call.handle(1),
                (int) call.number(3, -1),
                (int) call.number(4),
                (int) call.number(5, 0),
                (int) call.number(7, -1),
                call.structure(IoctlCall.UHW_IN, CQ_DRIVER_BYTES)));
    call.putInt(6, made.cqe());
    call.put(IoctlCall.UHW_OUT, Fields.of(8).u32(0, made.number()));
    call.putHandle(0, made.handle());
  }

  static void createCq(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    Cq.Made made =
        Cq.create(
            session,
            new Cq.Request(in.u64(8), in.u32(16), in.u32(24), in.u32(20), 0, -1, cqDriver(call)));
    call.reply(Fields.of(8).u32(0, made.handle()).u32(4, made.cqe()));
    call.replyOfDriver(Fields.of(8).u32(0, made.number()));
  }

  static void createExtendedCq(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    Refusal.require(
        in.u32(20) == 0 && in.u32(28) == 0, Errno.EINVAL, "comp_mask 0x%x of a CQ", in.u32(20));
    Cq.Made made =
        Cq.create(
            session,
            new Cq.Request(
                in.u64(0), in.u32(8), in.u32(16), in.u32(12), in.u32(24), -1, cqDriver(call)));
    call.reply(Fields.of(16).u32(0, made.handle()).u32(4, made.cqe()).u32(12, 16));
    call.replyOfDriver(Fields.of(8).u32(0, made.number()));
  }

  private static Fields cqDriver(WriteCall call) {
    return Fields.atLeast(call.driverIn().bytes(), CQ_DRIVER_BYTES);
  }

  static void resizeCq(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    call.reply(
        session
            .handles()
            .find(Cq.class, in.u32(8))
            .resize(session, in.u32(12), Fields.atLeast(call.driverIn().bytes(), 16)));
  }

  static void modifyCq(Session session, WriteCall call) {
    Fields in = call.in();
    Refusal.require(in.u32(4) == 1, Errno.EOPNOTSUPP, "attr_mask 0x%x of a CQ", in.u32(4));
    session.handles().find(Cq.class, in.u32(0)).moderate(in.u16(8), in.u16(10) & 0xfff);
  }

  // ---- shared receive queues

  static void createSrq(Session session, IoctlCall call) throws IOException {
    Srq.Made made =
        Srq.create(
            session,
            new Srq.Request(
                call.number(4),
                (int) call.number(9),
                call.handle(1),
                (int) call.number(5),
                (int) call.number(6),
                (int) call.number(7),
                (int) call.number(10, -1),
                call.structure(IoctlCall.UHW_IN, Srq.DRIVER_BYTES)));
    call.putInt(11, made.maxWr());
    call.putInt(12, made.maxSge());
    call.putInt(13, made.number());
    call.put(IoctlCall.UHW_OUT, Fields.of(8).u32(0, made.number()));
    call.putHandle(0, made.handle());
  }

  static void createSrq(Session session, WriteCall call) throws IOException {
    createSrq(session, call, 0, 16);
  }

  static void createExtendedSrq(Session session, WriteCall call) throws IOException {
    createSrq(session, call, call.in().u32(16), 20);
  }

  /**
   * @param at offset of pd_handle, behind which both forms have the same fields
   */
  private static void createSrq(Session session, WriteCall call, int type, int at)
      throws IOException {
    Fields in = call.in();
    Srq.Made made =
        Srq.create(
            session,
            new Srq.Request(
                in.u64(8),
                type,
                in.u32(at),
                in.u32(at + 4),
                in.u32(at + 8),
                in.u32(at + 12),
                -1,
                Fields.atLeast(call.driverIn().bytes(), Srq.DRIVER_BYTES)));
    call.reply(
        Fields.of(16)
            .u32(0, made.handle())
            .u32(4, made.maxWr())
            .u32(8, made.maxSge())
            .u32(12, made.number()));
    call.replyOfDriver(Fields.of(8).u32(0, made.number()));
  }

  // ---- queue pairs

  static void createQp(Session session, IoctlCall call) throws IOException {
    // First, because types that are not supported come without queues and domains.
    QpType type = QpType.of((int) call.number(9));
    Qp.Made made =
        Qp.create(
            session,
            new Qp.Request(
                call.number(7),
                type,
                call.handle(2),
                call.handle(4),
                call.handle(5),
                call.has(3) ? OptionalInt.of(call.handle(3)) : OptionalInt.empty(),
                call.structure(8, QP_CAP_BYTES),
                (call.number(10, 0) & CREATE_SQ_SIG_ALL) != 0,
                (int) call.number(10, 0) & ~CREATE_SQ_SIG_ALL,
                (int) call.number(12, -1),
                call.structure(IoctlCall.UHW_IN, QP_DRIVER_BYTES)));
    call.put(13, made.capabilities());
    call.putInt(14, made.number());
    call.put(IoctlCall.UHW_OUT, Fields.of(40));
    call.putHandle(0, made.handle());
  }

  static void createQp(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    createQp(session, call, in.u64(8), 16, in.u8(54) != 0, in.u8(53), in.u8(52) != 0, 0);
  }

  static void createExtendedQp(Session session, WriteCall call) throws IOException {
    Fields in = Fields.atLeast(call.in().bytes(), 64);
    createQp(
        session,
        new WriteCall(call.memory(), in, call.driverIn(), call.out(), call.driverOut()),
        in.u64(0),
        8,
        in.u8(46) != 0,
        in.u8(45),
        in.u8(44) != 0,
        in.u32(52));
  }

  /**
   * @param at offset of pd_handle, behind which both forms have the same fields
   */
  private static void createQp(
      Session session,
      WriteCall call,
      long userHandle,
      int at,
      boolean hasSrq,
      int type,
      boolean signalsAll,
      int flags)
      throws IOException {
    Fields in = call.in();
    Qp.Made made =
        Qp.create(
            session,
            new Qp.Request(
                userHandle,
                QpType.of(type),
                in.u32(at),
                in.u32(at + 4),
                in.u32(at + 8),
                hasSrq ? OptionalInt.of(in.u32(at + 12)) : OptionalInt.empty(),
                Fields.over(in.bytes(at + 16, QP_CAP_BYTES)),
                signalsAll,
                flags,
                -1,
                Fields.atLeast(call.driverIn().bytes(), QP_DRIVER_BYTES)));
    Fields reply = Fields.of(40).u32(0, made.handle()).u32(4, made.number());
    reply.bytes(8, made.capabilities().bytes(0, QP_CAP_BYTES)).u32(36, 40);
    call.reply(reply);
    call.replyOfDriver(Fields.of(40));
  }

  static void modifyQp(Session session, WriteCall call) {
    QpAttributes given = new QpAttributes(call.in());
    session.handles().find(Qp.class, given.handle()).modify(session, given);
  }

  static void modifyExtendedQp(Session session, WriteCall call) {
    modifyQp(session, call);
    call.reply(Fields.of(8).u32(4, 8));
    call.replyOfDriver(Fields.of(16).u32(0, 16));
  }

  // ---- write commands that come as an ioctl

  static void invokeWrite(Session session, IoctlCall call) throws IOException {
    WriteCommand command = WriteCommand.of((int) call.number(2));
    command.execute(
        session,
        new WriteCall(
            session.memory(),
            call.structure(0, 0),
            call.structure(IoctlCall.UHW_IN, 0),
            call.roomFor(1),
            call.roomFor(IoctlCall.UHW_OUT)));
    call.markWritten(1);
    call.markWritten(IoctlCall.UHW_OUT);
  }

  // ---- write commands that come by write()

  private static final int HEADER_BYTES = 8;
  private static final int EXTENDED_HEADER_BYTES = 16;

  /** Executes a write; the bytes that it took. */
  static long write(Session session, long address, long count) throws IOException {
    Refusal.require(
        count >= HEADER_BYTES && count <= 0x10000, Errno.EINVAL, "a write of %d bytes", count);
    Fields all = Fields.over(session.memory().read(address, (int) count));
    int number = all.u32(0);
    WriteCommand command = WriteCommand.of(number);
    if ((number & EXTENDED) == 0) {
      writeLegacy(session, command, all, count);
    } else {
      writeExtended(session, command, all, count);
    }
    return count;
  }

  private static void writeLegacy(Session session, WriteCommand command, Fields all, long count)
      throws IOException {
    int inBytes = all.u16(4) * 4;
    int outBytes = all.u16(6) * 4;
    Refusal.require(inBytes == count, Errno.EINVAL, "in_words says %d bytes", inBytes);
    int request = command.requestBytes();
    Refusal.require(
        inBytes - HEADER_BYTES >= request && outBytes >= command.responseBytes(),
        Errno.ENOSPC,
        "%s is too short",
        command);
    long response = command.responseBytes() == 0 ? 0 : all.u64(HEADER_BYTES);
    int driverAt = HEADER_BYTES + request;
    command.execute(
        session,
        new WriteCall(
            session.memory(),
            Fields.over(all.bytes(HEADER_BYTES, request)),
            Fields.over(all.bytes(driverAt, inBytes - driverAt)),
            new WriteCall.Room(response, command.responseBytes()),
            new WriteCall.Room(
                response + command.responseBytes(), outBytes - command.responseBytes())));
  }

  private static void writeExtended(Session session, WriteCommand command, Fields all, long count)
      throws IOException {
    int headers = HEADER_BYTES + EXTENDED_HEADER_BYTES;
    Refusal.require(count >= headers, Errno.EINVAL, "an extended write of %d bytes", count);
    int inBytes = all.u16(4) * 8;
    int outBytes = all.u16(6) * 8;
    long response = all.u64(8);
    int driverIn = all.u16(16) * 8;
    int driverOut = all.u16(18) * 8;
    Refusal.require(
        headers + inBytes + driverIn == count && all.u32(20) == 0,
        Errno.EINVAL,
        "an extended write of %d bytes says that it has %d and %d",
        count,
        inBytes,
        driverIn);
    command.execute(
        session,
        new WriteCall(
            session.memory(),
            Fields.over(all.bytes(headers, inBytes)),
            Fields.over(all.bytes(headers + inBytes, driverIn)),
            new WriteCall.Room(response, outBytes),
            new WriteCall.Room(response + outBytes, driverOut)));
  }
}
