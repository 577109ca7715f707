package dev.bluebell.uverbs;

import dev.bluebell.hca.uverbs.AdviseMrAttrs;
import dev.bluebell.hca.uverbs.AllocDmAttrs;
import dev.bluebell.hca.uverbs.AsyncEventAllocAttrs;
import dev.bluebell.hca.uverbs.CreateCountersAttrs;
import dev.bluebell.hca.uverbs.CreateCqAttrs;
import dev.bluebell.hca.uverbs.CreateQpAttrs;
import dev.bluebell.hca.uverbs.CreateSrqAttrs;
import dev.bluebell.hca.uverbs.DestroyAhAttrs;
import dev.bluebell.hca.uverbs.DestroyCountersAttrs;
import dev.bluebell.hca.uverbs.DestroyCqAttrs;
import dev.bluebell.hca.uverbs.DestroyMrAttrs;
import dev.bluebell.hca.uverbs.DestroyMwAttrs;
import dev.bluebell.hca.uverbs.DestroyPdAttrs;
import dev.bluebell.hca.uverbs.DestroyQpAttrs;
import dev.bluebell.hca.uverbs.DestroySrqAttrs;
import dev.bluebell.hca.uverbs.DestroyXrcdAttrs;
import dev.bluebell.hca.uverbs.DevxAsyncCmdFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAsyncEventFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxObjAsyncQueryAttrs;
import dev.bluebell.hca.uverbs.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxObjDestroyAttrs;
import dev.bluebell.hca.uverbs.DevxObjModifyAttrs;
import dev.bluebell.hca.uverbs.DevxObjQueryAttrs;
import dev.bluebell.hca.uverbs.DevxOtherAttrs;
import dev.bluebell.hca.uverbs.DevxQueryEqnAttrs;
import dev.bluebell.hca.uverbs.DevxSubscribeEventAttrs;
import dev.bluebell.hca.uverbs.DevxUmemDeregAttrs;
import dev.bluebell.hca.uverbs.DevxUmemRegAttrs;
import dev.bluebell.hca.uverbs.DmMapOpAddrAttrs;
import dev.bluebell.hca.uverbs.FreeDmAttrs;
import dev.bluebell.hca.uverbs.GetContextAttrs;
import dev.bluebell.hca.uverbs.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.Method;
import dev.bluebell.hca.uverbs.QueryContextAttrs;
import dev.bluebell.hca.uverbs.QueryDmAttrs;
import dev.bluebell.hca.uverbs.QueryGidEntryAttrs;
import dev.bluebell.hca.uverbs.QueryGidTableAttrs;
import dev.bluebell.hca.uverbs.QueryMrAttrs;
import dev.bluebell.hca.uverbs.QueryPdAttrs;
import dev.bluebell.hca.uverbs.QueryPortAttrs;
import dev.bluebell.hca.uverbs.ReadCountersAttrs;
import dev.bluebell.hca.uverbs.RegDmMrAttrs;
import dev.bluebell.hca.uverbs.UarObjAllocAttrs;
import dev.bluebell.hca.uverbs.UarObjDestroyAttrs;
import dev.bluebell.uverbs.call.Errno;
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

/** The ioctl methods that are answered, by object and method. */
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
