package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ioctl methods that are answered, by object and method. Mirrors {@code ib_user_ioctl_cmds.h:
 * uverbs_default_objects} and {@code mlx5_user_ioctl_cmds.h}.
 */
enum IoctlMethod {
  INVOKE_WRITE(0, 0, core(3, 0x1000, 0x1001), Uverbs::invokeWrite),
  QUERY_PORT(0, 2, core(2), (s, c) -> c.put(1, DeviceQueries.port(s.hca(), c.handle(0)))),
  GET_CONTEXT(0, 3, core(2, 0x1000, 0x1001), Uverbs::getContext),
  QUERY_CONTEXT(0, 4, core(2, 0x1000), Uverbs::queryContext),
  QUERY_GID_TABLE(0, 5, core(4), (s, c) -> DeviceQueries.gidTable(s.hca(), c)),
  QUERY_GID_ENTRY(
      0, 6, core(4), (s, c) -> c.put(3, DeviceQueries.gid(s.hca(), c.handle(0), c.handle(1)))),
  PD_DESTROY(1, 0, core(1), (s, c) -> Pd.deallocate(s, c.handle(0))),
  PD_QUERY(
      1,
      0x1000,
      Set.of(0x1000, 0x1001),
      (s, c) -> c.putInt(0x1001, s.handles().find(Pd.class, c.handle(0x1000)).number())),
  CQ_CREATE(3, 0, core(8, 0x1000, 0x1001), Uverbs::createCq),
  CQ_DESTROY(
      3,
      1,
      core(2),
      (s, c) -> c.put(1, s.handles().destroy(Cq.class, c.handle(0)).eventsReported())),
  QP_CREATE(4, 0, core(15, 0x1000, 0x1001), Uverbs::createQp),
  QP_DESTROY(
      4,
      1,
      core(2),
      (s, c) -> c.put(1, s.handles().destroy(Qp.class, c.handle(0)).eventsReported())),
  SRQ_CREATE(5, 0, core(14, 0x1000, 0x1001), Uverbs::createSrq),
  SRQ_DESTROY(
      5,
      1,
      core(2),
      (s, c) -> c.put(1, s.handles().destroy(Srq.class, c.handle(0)).eventsReported())),
  AH_DESTROY(6, 0, core(1), (s, c) -> s.handles().destroy(Ah.class, c.handle(0))),
  MR_REG_DM(7, 0, core(8), DmKey::register),
  MR_DESTROY(7, 1, core(1), (s, c) -> s.handles().destroy(Mr.class, c.handle(0))),
  MR_ADVISE(7, 2, core(4), Mr::advise),
  MR_QUERY(7, 3, core(5), Mr::query),
  DM_ALLOC(14, 0, core(3, 0x1000, 0x1001, 0x1002), Dm::allocate),
  DM_FREE(14, 1, core(1), (s, c) -> s.handles().destroy(Dm.class, c.handle(0))),
  DM_MAP_OP_ADDR(14, 0x1000, driver(4), Dm::mapOperation),
  DM_QUERY(14, 0x1001, driver(4), Dm::query),
  COUNTERS_CREATE(15, 0, core(1), Counters::create),
  COUNTERS_DESTROY(15, 1, core(1), (s, c) -> s.handles().destroy(Counters.class, c.handle(0))),
  COUNTERS_READ(15, 2, core(3), Counters::read),
  ASYNC_EVENT_ALLOC(16, 0, core(1), Uverbs::openAsyncEvents),
  DEVX_OTHER(0x1000, 0x1000, driver(2), DevxCommand::other),
  DEVX_QUERY_EQN(0x1000, 0x1002, driver(2), DevxCommand::queryEqn),
  DEVX_SUBSCRIBE_EVENT(0x1000, 0x1003, driver(5), DevxEvents::subscribe),
  DEVX_OBJ_CREATE(0x1001, 0x1000, driver(3), DevxObject::create),
  DEVX_OBJ_DESTROY(
      0x1001, 0x1001, driver(1), (s, c) -> s.handles().destroy(DevxObject.class, c.handle(0x1000))),
  DEVX_OBJ_MODIFY(0x1001, 0x1002, driver(3), DevxObject::modify),
  DEVX_OBJ_QUERY(0x1001, 0x1003, driver(3), DevxObject::query),
  DEVX_OBJ_ASYNC_QUERY(0x1001, 0x1004, driver(5), DevxAnswers::query),
  DEVX_UMEM_REG(0x1002, 0x1000, driver(6), DevxUmem::register),
  DEVX_UMEM_DEREG(
      0x1002, 0x1001, driver(1), (s, c) -> s.handles().destroy(DevxUmem.class, c.handle(0x1000))),
  DEVX_ASYNC_CMD_FD_ALLOC(0x1004, 0x1000, driver(1), DevxAnswers::open),
  DEVX_EVENT_FD_ALLOC(0x1005, 0x1000, driver(2), DevxEvents::open),
  UAR_ALLOC(0x1008, 0x1000, Set.of(0x1000, 0x1001, 0x1002, 0x1003, 0x1004), Uar::allocate),
  UAR_DESTROY(
      0x1008, 0x1001, Set.of(0x1000), (s, c) -> s.handles().destroy(Uar.class, c.handle(0x1000)));

  private static final Map<Integer, IoctlMethod> BY_NUMBER = new HashMap<>();

  static {
    for (IoctlMethod method : values()) {
      BY_NUMBER.put(key(method.object, method.method), method);
    }
  }

  private final int object;
  private final int method;
  private final Set<Integer> attributes;
  private final Handler handler;

  /** Executes a method. */
  private interface Handler {
    void handle(Session session, IoctlCall call) throws IOException;
  }

  IoctlMethod(int object, int method, Set<Integer> attributes, Handler handler) {
    this.object = object;
    this.method = method;
    this.attributes = attributes;
    this.handler = handler;
  }

  /** The attributes 0 … count − 1, and those of the driver. */
  private static Set<Integer> core(int count, int... driver) {
    return IntStream.concat(IntStream.range(0, count), IntStream.of(driver))
        .boxed()
        .collect(Collectors.toSet());
  }

  /** The first attributes of the driver. */
  private static Set<Integer> driver(int count) {
    return IntStream.range(0x1000, 0x1000 + count).boxed().collect(Collectors.toSet());
  }

  private static int key(int object, int method) {
    return object << 16 | method;
  }

  /** Executes the method that a call names. */
  static void execute(Session session, IoctlCall call) throws IOException {
    @Nullable IoctlMethod method = BY_NUMBER.get(key(call.object(), call.method()));
    if (method == null) {
      throw new Refusal(
          Errno.EPROTONOSUPPORT,
          "object 0x%x has no method 0x%x here".formatted(call.object(), call.method()));
    }
    call.expect(method.attributes);
    method.handler.handle(session, call);
  }
}
