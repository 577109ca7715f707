package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaException;
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
  // The write command names its function itself.
  INVOKE_WRITE("", InvokeWriteAttrs.METHOD, Writes::invoke),
  QUERY_PORT("ibv_query_port", QueryPortAttrs.METHOD, DeviceCalls::queryPort),
  GET_CONTEXT("ibv_open_device", GetContextAttrs.METHOD, DeviceCalls::getContext),
  QUERY_CONTEXT("ibv_open_device", QueryContextAttrs.METHOD, DeviceCalls::queryContext),
  QUERY_GID_TABLE("ibv_query_gid_table", QueryGidTableAttrs.METHOD, DeviceCalls::queryGidTable),
  QUERY_GID_ENTRY("ibv_query_gid", QueryGidEntryAttrs.METHOD, DeviceCalls::queryGidEntry),
  PD_DESTROY("ibv_dealloc_pd", DestroyPdAttrs.METHOD, PdCalls::deallocate),
  PD_QUERY("ibv_import_pd", QueryPdAttrs.METHOD, PdCalls::query),
  CQ_CREATE("ibv_create_cq", CreateCqAttrs.METHOD, CqCalls::create),
  CQ_DESTROY("ibv_destroy_cq", DestroyCqAttrs.METHOD, CqCalls::destroy),
  QP_CREATE("ibv_create_qp", CreateQpAttrs.METHOD, QpCalls::create),
  QP_DESTROY("ibv_destroy_qp", DestroyQpAttrs.METHOD, QpCalls::destroy),
  SRQ_CREATE("ibv_create_srq", CreateSrqAttrs.METHOD, SrqCalls::create),
  SRQ_DESTROY("ibv_destroy_srq", DestroySrqAttrs.METHOD, SrqCalls::destroy),
  XRCD_DESTROY("ibv_close_xrcd", DestroyXrcdAttrs.METHOD, XrcdCalls::close),
  AH_DESTROY("ibv_destroy_ah", DestroyAhAttrs.METHOD, AhCalls::destroy),
  MR_REG_DM("ibv_reg_dm_mr", RegDmMrAttrs.METHOD, DmCalls::registerRegion),
  MR_DESTROY("ibv_dereg_mr", DestroyMrAttrs.METHOD, MrCalls::deregister),
  MR_ADVISE("ibv_advise_mr", AdviseMrAttrs.METHOD, MrCalls::advise),
  MR_QUERY("ibv_import_mr", QueryMrAttrs.METHOD, MrCalls::query),
  MW_DESTROY("ibv_dealloc_mw", DestroyMwAttrs.METHOD, MwCalls::deallocate),
  DM_ALLOC("ibv_alloc_dm", AllocDmAttrs.METHOD, DmCalls::allocate),
  DM_FREE("ibv_free_dm", FreeDmAttrs.METHOD, DmCalls::free),
  DM_MAP_OP_ADDR("mlx5dv_dm_map_op_addr", DmMapOpAddrAttrs.METHOD, DmCalls::mapOperation),
  DM_QUERY("ibv_import_dm", QueryDmAttrs.METHOD, DmCalls::query),
  COUNTERS_CREATE("ibv_create_counters", CreateCountersAttrs.METHOD, CountersCalls::create),
  COUNTERS_DESTROY("ibv_destroy_counters", DestroyCountersAttrs.METHOD, CountersCalls::destroy),
  COUNTERS_READ("ibv_read_counters", ReadCountersAttrs.METHOD, CountersCalls::read),
  ASYNC_EVENT_ALLOC("ibv_open_device", AsyncEventAllocAttrs.METHOD, EventCalls::openAsync),
  DEVX_OTHER("mlx5dv_devx_general_cmd", DevxOtherAttrs.METHOD, DevxCommand::other),
  DEVX_QUERY_UAR("mlx5dv_devx_alloc_uar", DevxQueryUarAttrs.METHOD, DevxCommand::queryUar),
  DEVX_QUERY_EQN("mlx5dv_devx_query_eqn", DevxQueryEqnAttrs.METHOD, DevxCommand::queryEqn),
  DEVX_SUBSCRIBE_EVENT(
      "mlx5dv_devx_subscribe_devx_event", DevxSubscribeEventAttrs.METHOD, DevxEvents::subscribe),
  DEVX_OBJ_CREATE("mlx5dv_devx_obj_create", DevxObjCreateAttrs.METHOD, DevxObject::create),
  DEVX_OBJ_DESTROY("mlx5dv_devx_obj_destroy", DevxObjDestroyAttrs.METHOD, DevxObject::destroy),
  DEVX_OBJ_MODIFY("mlx5dv_devx_obj_modify", DevxObjModifyAttrs.METHOD, DevxObject::modify),
  DEVX_OBJ_QUERY("mlx5dv_devx_obj_query", DevxObjQueryAttrs.METHOD, DevxObject::query),
  DEVX_OBJ_ASYNC_QUERY(
      "mlx5dv_devx_obj_query_async", DevxObjAsyncQueryAttrs.METHOD, DevxAnswers::query),
  DEVX_UMEM_REG("mlx5dv_devx_umem_reg", DevxUmemRegAttrs.METHOD, DevxUmem::register),
  DEVX_UMEM_DEREG("mlx5dv_devx_umem_dereg", DevxUmemDeregAttrs.METHOD, DevxUmem::deregister),
  DEVX_ASYNC_CMD_FD_ALLOC(
      "mlx5dv_devx_create_cmd_comp", DevxAsyncCmdFdAllocAttrs.METHOD, DevxAnswers::open),
  DEVX_EVENT_FD_ALLOC(
      "mlx5dv_devx_create_event_channel", DevxAsyncEventFdAllocAttrs.METHOD, DevxEvents::open),
  UAR_ALLOC("mlx5dv_devx_alloc_uar", UarObjAllocAttrs.METHOD, UarCalls::allocate),
  UAR_DESTROY("mlx5dv_devx_free_uar", UarObjDestroyAttrs.METHOD, UarCalls::free);

  private static final Map<Integer, IoctlMethod> BY_NUMBER = new HashMap<>();

  static {
    for (IoctlMethod method : values()) {
      BY_NUMBER.put(key(method.method.object().id(), method.method.id()), method);
    }
  }

  private final String function;
  private final Method method;
  private final Handler handler;

  /** Executes a method. */
  private interface Handler {
    void handle(Session session, IoctlCall call) throws IOException;
  }

  /**
   * @param function of libibverbs or libmlx5 that makes the call
   */
  IoctlMethod(String function, Method method, Handler handler) {
    this.function = function;
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
    try {
      called.handler.handle(session, call);
    } catch (Refusal refusal) {
      throw refusal.in(called.function);
    } catch (HcaException refusal) {
      throw Refusal.of(refusal).in(called.function);
    }
  }
}
