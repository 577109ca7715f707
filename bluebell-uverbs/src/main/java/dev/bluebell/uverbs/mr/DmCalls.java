package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.DeviceMemoryKey;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.MrAbi.AllocDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.DmMapOpAddrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.FreeDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.QueryDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegDmMrAttrs;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls about device memory. */
public final class DmCalls {
  private DmCalls() {}

  public static void allocate(Session session, IoctlCall call) throws IOException {
    long type = call.number(AllocDmAttrs.REQ_TYPE, Mlx5.IB_UAPI_DM_TYPE_MEMIC);
    Refusal.require(
        type == Mlx5.IB_UAPI_DM_TYPE_MEMIC,
        Errno.EOPNOTSUPP,
        "a DM of type %d, which is for flow steering, is not supported; type 0 (MEMIC) is",
        type);
    Dm dm =
        Dm.allocate(session, call.number(AllocDmAttrs.LENGTH), call.handle(AllocDmAttrs.ALIGNMENT));
    int handle = session.handles().add(dm);
    call.putLong(AllocDmAttrs.RESP_START_OFFSET, dm.startOffset());
    call.putShort(AllocDmAttrs.RESP_PAGE_INDEX, dm.page());
    call.putHandle(AllocDmAttrs.HANDLE, handle);
  }

  public static void query(Session session, IoctlCall call) {
    Dm dm = session.handles().find(Dm.class, call.handle(QueryDmAttrs.REQ_HANDLE));
    call.putLong(QueryDmAttrs.RESP_START_OFFSET, dm.startOffset());
    call.putShort(QueryDmAttrs.RESP_PAGE_INDEX, dm.page());
    call.putLong(QueryDmAttrs.RESP_LENGTH, dm.length());
  }

  /** Always refused, because the device reports no memic_operations. */
  public static void mapOperation(Session session, IoctlCall call) {
    Dm dm = session.handles().find(Dm.class, call.handle(DmMapOpAddrAttrs.REQ_HANDLE));
    throw new Refusal(
        Errno.EOPNOTSUPP,
        "the device has no operation %d on its memory, here at 0x%x"
            .formatted(call.number(DmMapOpAddrAttrs.REQ_OP), dm.address()));
  }

  public static void free(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(Dm.class, call.handle(FreeDmAttrs.HANDLE));
  }

  /** Makes a region in device memory. */
  public static void registerRegion(Session session, IoctlCall call) throws IOException {
    Dm dm = session.handles().find(Dm.class, call.handle(RegDmMrAttrs.DM_HANDLE));
    Pd pd = session.handles().find(Pd.class, call.handle(RegDmMrAttrs.PD_HANDLE));
    long offset = call.number(RegDmMrAttrs.OFFSET);
    long length = call.number(RegDmMrAttrs.LENGTH);
    int access = call.handle(RegDmMrAttrs.ACCESS_FLAGS, 0);
    Mr.checkDeviceMemoryAccess(access);
    Refusal.require(
        Long.compareUnsigned(offset, dm.length()) <= 0
            && Long.compareUnsigned(length, dm.length() - offset) <= 0,
        Errno.EINVAL,
        "%s bytes at %s are outside of the DM, which has %d bytes",
        Long.toUnsignedString(length),
        Long.toUnsignedString(offset),
        dm.length());
    // An empty region at the end would start in other device memory.
    long address = dm.address() + (length == 0 ? 0 : offset);
    // Relaxed ordering is only a hint, and has no effect on this device's own memory.
    DeviceMemoryKey key =
        DeviceMemoryKey.create(
            session.hca(), pd.number(), address, length, access & ~HcaAccess.RELAXED_ORDERING);
    int handle =
        session.handles().add(new Mr(key, null, pd, address, length, address, access, null));
    call.putInt(RegDmMrAttrs.RESP_LKEY, key.lkey());
    call.putInt(RegDmMrAttrs.RESP_RKEY, key.rkey());
    call.putHandle(RegDmMrAttrs.HANDLE, handle);
  }
}
