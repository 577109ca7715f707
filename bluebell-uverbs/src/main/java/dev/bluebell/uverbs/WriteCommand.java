package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.uverbs.CqAbi.CreateCq;
import dev.bluebell.hca.uverbs.CqAbi.CreateCqResp;
import dev.bluebell.hca.uverbs.CqAbi.DestroyCq;
import dev.bluebell.hca.uverbs.CqAbi.DestroyCqResp;
import dev.bluebell.hca.uverbs.CqAbi.ExCreateCq;
import dev.bluebell.hca.uverbs.CqAbi.ExModifyCq;
import dev.bluebell.hca.uverbs.CqAbi.ResizeCq;
import dev.bluebell.hca.uverbs.CqAbi.ResizeCqResp;
import dev.bluebell.hca.uverbs.DeviceAbi.ExQueryDevice;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContext;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContextResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryDevice;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryDeviceResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPort;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortResp;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.EventAbi.CreateCompChannel;
import dev.bluebell.hca.uverbs.EventAbi.CreateCompChannelResp;
import dev.bluebell.hca.uverbs.MrAbi.AllocMw;
import dev.bluebell.hca.uverbs.MrAbi.AllocMwResp;
import dev.bluebell.hca.uverbs.MrAbi.DeallocMw;
import dev.bluebell.hca.uverbs.MrAbi.DeregMr;
import dev.bluebell.hca.uverbs.MrAbi.RegMr;
import dev.bluebell.hca.uverbs.MrAbi.RegMrResp;
import dev.bluebell.hca.uverbs.MrAbi.ReregMr;
import dev.bluebell.hca.uverbs.MrAbi.ReregMrResp;
import dev.bluebell.hca.uverbs.PdAbi.AllocPd;
import dev.bluebell.hca.uverbs.PdAbi.AllocPdResp;
import dev.bluebell.hca.uverbs.PdAbi.CloseXrcd;
import dev.bluebell.hca.uverbs.PdAbi.CreateAh;
import dev.bluebell.hca.uverbs.PdAbi.CreateAhResp;
import dev.bluebell.hca.uverbs.PdAbi.DeallocPd;
import dev.bluebell.hca.uverbs.PdAbi.DestroyAh;
import dev.bluebell.hca.uverbs.PdAbi.OpenXrcd;
import dev.bluebell.hca.uverbs.PdAbi.OpenXrcdResp;
import dev.bluebell.hca.uverbs.QpAbi.AttachMcast;
import dev.bluebell.hca.uverbs.QpAbi.CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.CreateQpResp;
import dev.bluebell.hca.uverbs.QpAbi.DestroyQp;
import dev.bluebell.hca.uverbs.QpAbi.DestroyQpResp;
import dev.bluebell.hca.uverbs.QpAbi.DetachMcast;
import dev.bluebell.hca.uverbs.QpAbi.ExCreateQp;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.hca.uverbs.QpAbi.OpenQp;
import dev.bluebell.hca.uverbs.QpAbi.QueryQp;
import dev.bluebell.hca.uverbs.QpAbi.QueryQpResp;
import dev.bluebell.hca.uverbs.SrqAbi.CreateSrq;
import dev.bluebell.hca.uverbs.SrqAbi.CreateSrqResp;
import dev.bluebell.hca.uverbs.SrqAbi.CreateXsrq;
import dev.bluebell.hca.uverbs.SrqAbi.DestroySrq;
import dev.bluebell.hca.uverbs.SrqAbi.DestroySrqResp;
import dev.bluebell.hca.uverbs.SrqAbi.ModifySrq;
import dev.bluebell.hca.uverbs.SrqAbi.QuerySrq;
import dev.bluebell.hca.uverbs.SrqAbi.QuerySrqResp;
import dev.bluebell.hca.uverbs.WriteCommandNumber;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.cq.CqCalls;
import dev.bluebell.uverbs.device.DeviceCalls;
import dev.bluebell.uverbs.event.EventCalls;
import dev.bluebell.uverbs.mr.MrCalls;
import dev.bluebell.uverbs.mr.MwCalls;
import dev.bluebell.uverbs.pd.AhCalls;
import dev.bluebell.uverbs.pd.PdCalls;
import dev.bluebell.uverbs.pd.XrcdCalls;
import dev.bluebell.uverbs.qp.MulticastCalls;
import dev.bluebell.uverbs.qp.QpCalls;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.srq.SrqCalls;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The supported write commands, with the minimum sizes of their input and output. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_write_cmds} and {@code uverbs_cmd.c: uverbs_def_write_intf}.
 */
enum WriteCommand {
  GET_CONTEXT(0, GetContext.STRUCTURE, GetContextResp.STRUCTURE, DeviceCalls::getContext),
  QUERY_DEVICE(1, QueryDevice.STRUCTURE, QueryDeviceResp.STRUCTURE, DeviceCalls::queryDevice),
  QUERY_PORT(2, QueryPort.STRUCTURE, QueryPortResp.STRUCTURE, DeviceCalls::queryPort),
  ALLOC_PD(
      WriteCommandNumber.ALLOC_PD, AllocPd.STRUCTURE, AllocPdResp.STRUCTURE, PdCalls::allocate),
  DEALLOC_PD(4, DeallocPd.STRUCTURE, PdCalls::deallocate),
  CREATE_AH(
      WriteCommandNumber.CREATE_AH, CreateAh.STRUCTURE, CreateAhResp.STRUCTURE, AhCalls::create),
  DESTROY_AH(8, DestroyAh.STRUCTURE, AhCalls::destroy),
  REG_MR(WriteCommandNumber.REG_MR, RegMr.STRUCTURE, RegMrResp.STRUCTURE, MrCalls::register),
  REREG_MR(11, ReregMr.STRUCTURE, ReregMrResp.STRUCTURE, MrCalls::reregister),
  DEREG_MR(13, DeregMr.STRUCTURE, MrCalls::deregister),
  ALLOC_MW(14, AllocMw.STRUCTURE, AllocMwResp.STRUCTURE, MwCalls::allocate),
  DEALLOC_MW(16, DeallocMw.STRUCTURE, MwCalls::deallocate),
  CREATE_COMP_CHANNEL(
      17, CreateCompChannel.STRUCTURE, CreateCompChannelResp.STRUCTURE, EventCalls::openChannel),
  CREATE_CQ(18, CreateCq.STRUCTURE, CreateCqResp.STRUCTURE, CqCalls::create),
  RESIZE_CQ(19, ResizeCq.STRUCTURE, ResizeCqResp.STRUCTURE, CqCalls::resize),
  DESTROY_CQ(20, DestroyCq.STRUCTURE, DestroyCqResp.STRUCTURE, CqCalls::destroy),
  CREATE_QP(24, CreateQp.STRUCTURE, CreateQpResp.STRUCTURE, QpCalls::create),
  QUERY_QP(25, QueryQp.STRUCTURE, QueryQpResp.STRUCTURE, QpCalls::query),
  MODIFY_QP(26, ModifyQp.STRUCTURE, QpCalls::modify),
  DESTROY_QP(27, DestroyQp.STRUCTURE, DestroyQpResp.STRUCTURE, QpCalls::destroy),
  ATTACH_MCAST(30, AttachMcast.STRUCTURE, MulticastCalls::attach),
  DETACH_MCAST(31, DetachMcast.STRUCTURE, MulticastCalls::detach),
  CREATE_SRQ(32, CreateSrq.STRUCTURE, CreateSrqResp.STRUCTURE, SrqCalls::create),
  MODIFY_SRQ(33, ModifySrq.STRUCTURE, SrqCalls::modify),
  QUERY_SRQ(34, QuerySrq.STRUCTURE, QuerySrqResp.STRUCTURE, SrqCalls::query),
  DESTROY_SRQ(35, DestroySrq.STRUCTURE, DestroySrqResp.STRUCTURE, SrqCalls::destroy),
  OPEN_XRCD(37, OpenXrcd.STRUCTURE, OpenXrcdResp.STRUCTURE, XrcdCalls::open),
  CLOSE_XRCD(38, CloseXrcd.STRUCTURE, XrcdCalls::close),
  OPEN_QP(40, OpenQp.STRUCTURE, CreateQpResp.STRUCTURE, QpCalls::open),
  CREATE_XSRQ(39, CreateXsrq.STRUCTURE, CreateSrqResp.STRUCTURE, SrqCalls::createExtended),

  // Extended forms. A client may omit the fields that they add.
  EX_QUERY_DEVICE(
      1 | WriteCommand.EXTENDED,
      ExQueryDevice.STRUCTURE,
      QueryDeviceResp.STRUCTURE,
      DeviceCalls::queryExtendedDevice),
  EX_CREATE_CQ(
      18 | WriteCommand.EXTENDED,
      ExCreateCq.STRUCTURE,
      CreateCqResp.STRUCTURE,
      CqCalls::createExtended),
  EX_CREATE_QP(
      24 | WriteCommand.EXTENDED,
      ExCreateQp.CREATE_FLAGS.end(),
      CreateQpResp.STRUCTURE.bytes(),
      QpCalls::createExtended),
  EX_MODIFY_QP(26 | WriteCommand.EXTENDED, ModifyQp.STRUCTURE, QpCalls::modify),
  EX_MODIFY_CQ(57 | WriteCommand.EXTENDED, ExModifyCq.STRUCTURE, CqCalls::modify);

  /** Marks the extended form: {@code rdma/ib_user_verbs.h: IB_USER_VERBS_CMD_FLAG_EXTENDED}. */
  static final int EXTENDED = 1 << 31;

  private static final Map<Integer, WriteCommand> BY_NUMBER = new HashMap<>();

  static {
    for (WriteCommand command : values()) {
      BY_NUMBER.put(command.number, command);
    }
  }

  private final int number;
  private final int requestBytes;
  private final int responseBytes;
  private final Handler handler;

  /** Executes a command. */
  private interface Handler {
    void handle(Session session, WriteCall call) throws IOException;
  }

  WriteCommand(int number, int requestBytes, int responseBytes, Handler handler) {
    this.number = number;
    this.requestBytes = requestBytes;
    this.responseBytes = responseBytes;
    this.handler = handler;
  }

  WriteCommand(int number, Structure request, Structure response, Handler handler) {
    this(number, request.bytes(), response.bytes(), handler);
  }

  WriteCommand(int number, Structure request, Handler handler) {
    this(number, request.bytes(), 0, handler);
  }

  /** The command with a number, in which bit 31 marks the extended form. */
  static WriteCommand of(int number) {
    @Nullable WriteCommand command = BY_NUMBER.get(number);
    if (command == null) {
      throw new Refusal(
          Errno.EOPNOTSUPP, "%s (write command 0x%x)".formatted(lack(number & ~EXTENDED), number));
    }
    return command;
  }

  /** The feature that an unknown command belongs to. */
  private static String lack(int number) {
    return switch (number) {
      case 15 -> "memory windows are bound by work requests and not by this call";
      case 50, 51 -> "flow steering is not supported";
      case 52, 53, 54, 55, 56 -> "queues of raw packets are not supported";
      default -> "the call is not supported";
    };
  }

  int number() {
    return number;
  }

  /** Bytes of input before the driver's. */
  int requestBytes() {
    return requestBytes;
  }

  /** Bytes of output before the driver's. */
  int responseBytes() {
    return responseBytes;
  }

  void execute(Session session, WriteCall call) throws IOException {
    int given = call.in().bytes().length;
    Refusal.require(
        given >= requestBytes && call.out().bytes() >= responseBytes,
        Errno.ENOSPC,
        "%s has %d bytes of input and room for %d bytes of output, which is too little",
        this,
        given,
        call.out().bytes());
    try {
      handler.handle(session, call);
    } catch (Refusal refusal) {
      throw refusal.in(name(session, call));
    } catch (HcaException refusal) {
      throw Refusal.of(refusal).in(name(session, call));
    }
  }

  /** The function of libibverbs that makes the call, and the existing object that it is about. */
  private String name(Session session, WriteCall call) {
    String function =
        switch (this) {
          case GET_CONTEXT -> "open_device";
          case CREATE_XSRQ -> "create_srq_ex";
          default -> name().toLowerCase(Locale.ROOT).replaceFirst("^ex_", "");
        };
    String object =
        subject()
            .map(handle -> session.handles().describe(call.in().getInt(handle)))
            .filter(found -> !found.isEmpty())
            .map(" of "::concat)
            .orElse("");
    return "ibv_%s%s".formatted(function, object);
  }

  private Optional<Field> subject() {
    return Optional.ofNullable(
        switch (this) {
          case MODIFY_QP, EX_MODIFY_QP -> ModifyQp.QP_HANDLE;
          case QUERY_QP -> QueryQp.QP_HANDLE;
          case DESTROY_QP -> DestroyQp.QP_HANDLE;
          case ATTACH_MCAST -> AttachMcast.QP_HANDLE;
          case DETACH_MCAST -> DetachMcast.QP_HANDLE;
          case RESIZE_CQ -> ResizeCq.CQ_HANDLE;
          case EX_MODIFY_CQ -> ExModifyCq.CQ_HANDLE;
          case DESTROY_CQ -> DestroyCq.CQ_HANDLE;
          case MODIFY_SRQ -> ModifySrq.SRQ_HANDLE;
          case QUERY_SRQ -> QuerySrq.SRQ_HANDLE;
          case DESTROY_SRQ -> DestroySrq.SRQ_HANDLE;
          case DEALLOC_PD -> DeallocPd.PD_HANDLE;
          default -> null;
        });
  }
}
