package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContextAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContextResp;
import dev.bluebell.hca.uverbs.DeviceAbi.GidEntry;
import dev.bluebell.hca.uverbs.DeviceAbi.Mlx5AllocUcontextReqV2;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryContextAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryGidEntryAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryGidTableAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPort;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about a context, the device, its port and its GIDs. */
public final class DeviceCalls {
  private DeviceCalls() {}

  public static void getContext(Session session, WriteCall call) throws IOException {
    openContext(session, call.driverIn());
    EventFile events = EventFile.openAsync(session);
    call.reply(
        View.of(GetContextResp.STRUCTURE)
            .set(GetContextResp.ASYNC_FD, events.fd())
            .set(GetContextResp.NUM_COMP_VECTORS, session.hca().completionVectors()));
    call.replyOfDriver(DeviceQueries.context(session));
  }

  public static void getContext(Session session, IoctlCall call) throws IOException {
    openContext(session, call.structure(GetContextAttrs.UHW_IN, Mlx5AllocUcontextReqV2.STRUCTURE));
    call.putInt(GetContextAttrs.NUM_COMP_VECTORS, session.hca().completionVectors());
    call.putLong(GetContextAttrs.CORE_SUPPORT, Verbs.CORE_SUPPORT_OPTIONAL_MR_ACCESS);
    call.put(GetContextAttrs.UHW_OUT, DeviceQueries.context(session));
  }

  private static void openContext(Session session, View driver) throws IOException {
    if ((driver.get(Mlx5AllocUcontextReqV2.LIB_CAPS) & Mlx5.LIB_CAP_DYN_UAR) == 0) {
      session
          .registers()
          .open(
              driver.getInt(Mlx5AllocUcontextReqV2.TOTAL_NUM_BFREGS),
              driver.getInt(Mlx5AllocUcontextReqV2.NUM_LOW_LATENCY_BFREGS));
    }
    session
        .devx()
        .set((driver.getInt(Mlx5AllocUcontextReqV2.FLAGS) & Mlx5.IB_ALLOC_UCTX_DEVX) != 0);
  }

  public static void queryContext(Session session, IoctlCall call) {
    call.putInt(QueryContextAttrs.NUM_COMP_VECTORS, session.hca().completionVectors());
    call.putLong(QueryContextAttrs.CORE_SUPPORT, Verbs.CORE_SUPPORT_OPTIONAL_MR_ACCESS);
    call.put(QueryContextAttrs.RESP_UCTX, DeviceQueries.context(session));
  }

  public static void queryDevice(Session session, WriteCall call) {
    call.reply(DeviceQueries.device(session.hca()));
  }

  public static void queryExtendedDevice(Session session, WriteCall call) {
    View driver = DeviceQueries.driverDevice(session.hca(), call.driverOut().bytes());
    call.reply(DeviceQueries.extendedDevice(session.hca(), call.out().bytes()));
    call.replyOfDriver(driver);
  }

  public static void queryPort(Session session, WriteCall call) {
    call.reply(DeviceQueries.port(session.hca(), call.in().getInt(QueryPort.PORT_NUM)));
  }

  public static void queryPort(Session session, IoctlCall call) {
    call.put(
        QueryPortAttrs.RESP,
        DeviceQueries.port(session.hca(), call.handle(QueryPortAttrs.PORT_NUM)));
  }

  public static void queryGidEntry(Session session, IoctlCall call) {
    call.put(
        QueryGidEntryAttrs.RESP_ENTRY,
        DeviceQueries.gid(
            session.hca(),
            call.handle(QueryGidEntryAttrs.PORT),
            call.handle(QueryGidEntryAttrs.GID_INDEX)));
  }

  public static void queryGidTable(Session session, IoctlCall call) {
    Hca hca = session.hca();
    int entryBytes = (int) call.number(QueryGidTableAttrs.ENTRY_SIZE);
    Refusal.require(
        entryBytes >= GidEntry.STRUCTURE.bytes(),
        Errno.EINVAL,
        "a GID entry of %d bytes is too short",
        entryBytes);
    int room = call.room(QueryGidTableAttrs.RESP_ENTRIES) / entryBytes;
    View entries = View.over(new byte[room * entryBytes]);
    int found = 0;
    for (int index = 0; index < hca.queryPort(1).gidTableLength(); index++) {
      if (!hca.queryGid(1, index).equals(Gid.ZERO)) {
        Refusal.require(found < room, Errno.EINVAL, "the client has room for %d GIDs only", room);
        entries.put(found++ * entryBytes, DeviceQueries.gid(hca, 1, index).bytes());
      }
    }
    call.put(QueryGidTableAttrs.RESP_ENTRIES, entries);
    call.putLong(QueryGidTableAttrs.RESP_NUM_ENTRIES, found);
  }
}
