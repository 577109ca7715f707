package dev.bluebell.uverbs;

import dev.bluebell.hca.uverbs.CallAbi.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.CountersAbi.CreateCountersAttrs;
import dev.bluebell.hca.uverbs.CountersAbi.DestroyCountersAttrs;
import dev.bluebell.hca.uverbs.CountersAbi.ReadCountersAttrs;
import dev.bluebell.hca.uverbs.CqAbi.CreateCqAttrs;
import dev.bluebell.hca.uverbs.CqAbi.DestroyCqAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContextAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryContextAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryGidEntryAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryGidTableAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxAsyncCmdFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxAsyncEventFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjAsyncQueryAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjDestroyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjModifyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjQueryAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxOtherAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxQueryEqnAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxQueryUarAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxSubscribeEventAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemDeregAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemRegAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjDestroyAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.EventAbi.AsyncEventAllocAttrs;
import dev.bluebell.hca.uverbs.Method;
import dev.bluebell.hca.uverbs.MrAbi.AdviseMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.AllocDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.DestroyMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.DestroyMwAttrs;
import dev.bluebell.hca.uverbs.MrAbi.DmMapOpAddrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.FreeDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.QueryDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.QueryMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegDmMrAttrs;
import dev.bluebell.hca.uverbs.PdAbi.DestroyAhAttrs;
import dev.bluebell.hca.uverbs.PdAbi.DestroyPdAttrs;
import dev.bluebell.hca.uverbs.PdAbi.DestroyXrcdAttrs;
import dev.bluebell.hca.uverbs.PdAbi.QueryPdAttrs;
import dev.bluebell.hca.uverbs.QpAbi.CreateQpAttrs;
import dev.bluebell.hca.uverbs.QpAbi.DestroyQpAttrs;
import dev.bluebell.hca.uverbs.SrqAbi.CreateSrqAttrs;
import dev.bluebell.hca.uverbs.SrqAbi.DestroySrqAttrs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.counters.CountersCalls;
import dev.bluebell.uverbs.cq.CqCalls;
import dev.bluebell.uverbs.device.DeviceCalls;
import dev.bluebell.uverbs.devx.DevxAnswers;
import dev.bluebell.uverbs.devx.DevxCommand;
import dev.bluebell.uverbs.devx.DevxEvents;
import dev.bluebell.uverbs.devx.DevxObject;
import dev.bluebell.uverbs.devx.DevxUmem;
import dev.bluebell.uverbs.event.EventCalls;
import dev.bluebell.uverbs.mr.DmCalls;
import dev.bluebell.uverbs.mr.MrCalls;
import dev.bluebell.uverbs.mr.MwCalls;
import dev.bluebell.uverbs.pd.AhCalls;
import dev.bluebell.uverbs.pd.PdCalls;
import dev.bluebell.uverbs.pd.XrcdCalls;
import dev.bluebell.uverbs.qp.QpCalls;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.srq.SrqCalls;
import dev.bluebell.uverbs.uar.UarCalls;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The supported ioctl methods, by object and method. */
enum IoctlMethod {
  INVOKE_WRITE(InvokeWriteAttrs.METHOD, Writes::invoke),
  QUERY_PORT(QueryPortAttrs.METHOD, DeviceCalls::queryPort),
  GET_CONTEXT(GetContextAttrs.METHOD, DeviceCalls::getContext),
  QUERY_CONTEXT(QueryContextAttrs.METHOD, DeviceCalls::queryContext),
  QUERY_GID_TABLE(QueryGidTableAttrs.METHOD, DeviceCalls::queryGidTable),
  QUERY_GID_ENTRY(QueryGidEntryAttrs.METHOD, DeviceCalls::queryGidEntry),
  PD_DESTROY(DestroyPdAttrs.METHOD, PdCalls::deallocate),
  PD_QUERY(QueryPdAttrs.METHOD, PdCalls::query),
  CQ_CREATE(CreateCqAttrs.METHOD, CqCalls::create),
  CQ_DESTROY(DestroyCqAttrs.METHOD, CqCalls::destroy),
  QP_CREATE(CreateQpAttrs.METHOD, QpCalls::create),
  QP_DESTROY(DestroyQpAttrs.METHOD, QpCalls::destroy),
  SRQ_CREATE(CreateSrqAttrs.METHOD, SrqCalls::create),
  SRQ_DESTROY(DestroySrqAttrs.METHOD, SrqCalls::destroy),
  XRCD_DESTROY(DestroyXrcdAttrs.METHOD, XrcdCalls::close),
  AH_DESTROY(DestroyAhAttrs.METHOD, AhCalls::destroy),
  MR_REG_DM(RegDmMrAttrs.METHOD, DmCalls::registerRegion),
  MR_DESTROY(DestroyMrAttrs.METHOD, MrCalls::deregister),
  MR_ADVISE(AdviseMrAttrs.METHOD, MrCalls::advise),
  MR_QUERY(QueryMrAttrs.METHOD, MrCalls::query),
  MW_DESTROY(DestroyMwAttrs.METHOD, MwCalls::deallocate),
  DM_ALLOC(AllocDmAttrs.METHOD, DmCalls::allocate),
  DM_FREE(FreeDmAttrs.METHOD, DmCalls::free),
  DM_MAP_OP_ADDR(DmMapOpAddrAttrs.METHOD, DmCalls::mapOperation),
  DM_QUERY(QueryDmAttrs.METHOD, DmCalls::query),
  COUNTERS_CREATE(CreateCountersAttrs.METHOD, CountersCalls::create),
  COUNTERS_DESTROY(DestroyCountersAttrs.METHOD, CountersCalls::destroy),
  COUNTERS_READ(ReadCountersAttrs.METHOD, CountersCalls::read),
  ASYNC_EVENT_ALLOC(AsyncEventAllocAttrs.METHOD, EventCalls::openAsync),
  DEVX_OTHER(DevxOtherAttrs.METHOD, DevxCommand::other),
  DEVX_QUERY_UAR(DevxQueryUarAttrs.METHOD, DevxCommand::queryUar),
  DEVX_QUERY_EQN(DevxQueryEqnAttrs.METHOD, DevxCommand::queryEqn),
  DEVX_SUBSCRIBE_EVENT(DevxSubscribeEventAttrs.METHOD, DevxEvents::subscribe),
  DEVX_OBJ_CREATE(DevxObjCreateAttrs.METHOD, DevxObject::create),
  DEVX_OBJ_DESTROY(DevxObjDestroyAttrs.METHOD, DevxObject::destroy),
  DEVX_OBJ_MODIFY(DevxObjModifyAttrs.METHOD, DevxObject::modify),
  DEVX_OBJ_QUERY(DevxObjQueryAttrs.METHOD, DevxObject::query),
  DEVX_OBJ_ASYNC_QUERY(DevxObjAsyncQueryAttrs.METHOD, DevxAnswers::query),
  DEVX_UMEM_REG(DevxUmemRegAttrs.METHOD, DevxUmem::register),
  DEVX_UMEM_DEREG(DevxUmemDeregAttrs.METHOD, DevxUmem::deregister),
  DEVX_ASYNC_CMD_FD_ALLOC(DevxAsyncCmdFdAllocAttrs.METHOD, DevxAnswers::open),
  DEVX_EVENT_FD_ALLOC(DevxAsyncEventFdAllocAttrs.METHOD, DevxEvents::open),
  UAR_ALLOC(UarObjAllocAttrs.METHOD, UarCalls::allocate),
  UAR_DESTROY(UarObjDestroyAttrs.METHOD, UarCalls::free);

  private static final Map<Integer, IoctlMethod> BY_NUMBER = new HashMap<>();

  static {
    for (IoctlMethod method : values()) {
      BY_NUMBER.put(key(method.method.object().id(), method.method.id()), method);
    }
  }

  private final Method method;
  private final Handler handler;

  /** Executes a method. */
  private interface Handler {
    void handle(Session session, IoctlCall call) throws IOException;
  }

  IoctlMethod(Method method, Handler handler) {
    this.method = method;
    this.handler = handler;
  }

  private static int key(int object, int method) {
    return object << 16 | method;
  }

  /** Executes the method that a call names. */
  static void execute(Session session, IoctlCall call) throws IOException {
    @Nullable IoctlMethod called = BY_NUMBER.get(key(call.object(), call.method()));
    if (called == null) {
      throw new Refusal(
          Errno.EPROTONOSUPPORT,
          "object 0x%x has no method 0x%x here".formatted(call.object(), call.method()));
    }
    call.expect(called.method);
    called.handler.handle(session, call);
  }
}
