package dev.bluebell.uverbs;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.command.AtomicCaps;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DeviceMemCap;
import dev.bluebell.hca.command.QueryHcaCapIn;
import dev.bluebell.hca.command.QueryHcaCapOut;
import dev.bluebell.hca.command.View;

/**
 * Device, port and GIDs as programs see them, made of the device's capabilities as {@code mlx5_ib
 * main.c: mlx5_ib_query_device, mlx5_ib_alloc_ucontext} make them. Claims nothing that the device
 * does not.
 */
final class DeviceQueries {
  static final int DEVICE_BYTES = 176;
  private static final int EX_DEVICE_BYTES = 304;

  // ib_verbs.h: ib_device_cap_flags.
  private static final int PORT_ACTIVE_EVENT = 1 << 10;
  private static final int SYS_IMAGE_GUID = 1 << 11;
  private static final int RC_RNR_NAK_GEN = 1 << 12;

  // ib_verbs.h: ib_odp_general_cap_bits, ib_odp_transport_cap_bits. The device reaches payload by
  // asking the kernel for it each time, so all memory of programs is on demand.
  private static final int ODP_SUPPORT = 1;
  private static final int ODP_IMPLICIT = 1 << 1;
  private static final int ODP_RC = 0x3f;
  private static final int ODP_UC = 0x27;
  private static final int ODP_UD = 0x23;

  private static final int PORT_ACTIVE = 4;
  private static final int PORT_DOWN = 1;
  private static final int LINK_UP = 5;
  private static final int LINK_DISABLED = 3;
  private static final int LINK_ETHERNET = 2;
  private static final int GID_TYPE_ROCE_V2 = 2;
  private static final int GID_ENTRY_BYTES = 32;
  private static final int NO_NETWORK_DEVICE = 0;

  private DeviceQueries() {}

  private static byte[] capabilities(Hca hca, int type) {
    byte[] output =
        hca.execute(
            View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
                .set(QueryHcaCapIn.OP_MOD, CapabilityType.current(type))
                .bytes());
    return View.over(output).getBytes(QueryHcaCapOut.CAPABILITY);
  }

  /** The general capabilities, as {@link CmdHcaCap} describes them. */
  static View general(Hca hca) {
    return View.over(capabilities(hca, CapabilityType.GENERAL));
  }

  /** The capabilities that {@link DeviceMemCap} describes; all 0 for a device without them. */
  static View deviceMemory(Hca hca) {
    return general(hca).isSet(CmdHcaCap.DEVICE_MEMORY)
        ? View.over(capabilities(hca, CapabilityType.DEV_MEM))
        : View.of(DeviceMemCap.STRUCTURE);
  }

  /** Mirrors {@code mlx5-abi.h: mlx5_ib_alloc_ucontext_resp}. */
  static Fields context(Hca hca) {
    View cap = general(hca);
    return Fields.of(72)
        .u32(0, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP))
        .u32(4, 1 << cap.getInt(CmdHcaCap.LOG_BF_REG_SIZE))
        .u32(12, 64)
        .u16(16, cap.getInt(CmdHcaCap.MAX_WQE_SZ_SQ))
        .u16(18, cap.getInt(CmdHcaCap.MAX_WQE_SZ_RQ))
        .u32(20, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ))
        .u32(24, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ))
        .u32(28, 1 << cap.getInt(CmdHcaCap.LOG_MAX_SRQ_SZ))
        .u16(32, 1)
        .u32(36, 1) // MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET: 0
        .u32(40, 72)
        .u8(44, cap.getInt(CmdHcaCap.CQE_VERSION))
        .u8(45, 3) // MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE, MLX5_USER_CMDS_SUPP_UHW_CREATE_AH
        .u8(46, 1) // MLX5_USER_INLINE_MODE_NONE
        .u8(47, ClockPages.versions(hca))
        .u32(56, 12)
        .u32(60, 1);
  }

  /** Mirrors {@code ib_user_verbs.h: ib_uverbs_query_device_resp}. */
  static Fields device(Hca hca) {
    return describe(hca, Fields.of(DEVICE_BYTES));
  }

  /** Mirrors {@code ib_user_verbs.h: ib_uverbs_ex_query_device_resp}. */
  static Fields extendedDevice(Hca hca, int room, int driverRoom) {
    Fields device = describe(hca, Fields.of(EX_DEVICE_BYTES));
    View cap = general(hca);
    return device
        .u32(180, Math.min(room, EX_DEVICE_BYTES) + driverRoom)
        .u64(184, ODP_SUPPORT | ODP_IMPLICIT)
        .u32(192, ODP_RC)
        .u32(196, ODP_UC)
        .u32(200, ODP_UD)
        .u64(208, -1)
        .u64(216, cap.get(CmdHcaCap.DEVICE_FREQUENCY_KHZ))
        .u64(224, device.u32(60) & 0xffffffffL)
        .u16(280, 0xffff)
        .u16(282, 0xfff)
        .u64(288, deviceMemory(hca).get(DeviceMemCap.MAX_MEMIC_SIZE));
  }

  /** The driver's part of a device. Mirrors {@code mlx5-abi.h: mlx5_ib_query_device_resp}. */
  static Fields driverDevice() {
    return Fields.of(112).u32(4, 112);
  }

  private static Fields describe(Hca hca, Fields device) {
    View cap = general(hca);
    View atomic = View.over(capabilities(hca, CapabilityType.ATOMIC));
    long guid = Long.reverseBytes(DeviceIdentity.guid(hca));
    int pages = 0xfffff000;
    int requests = 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ);
    int reads = 1 << cap.getInt(CmdHcaCap.LOG_MAX_RA_RES_QP);
    int maxQp = 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP);
    // What is left of a WQE behind the control and remote address segments.
    int sendSges = (Math.min(cap.getInt(CmdHcaCap.MAX_WQE_SZ_SQ), 512) - 32) / 16;
    int receiveSges = cap.getInt(CmdHcaCap.MAX_WQE_SZ_RQ) / 16;
    return device
        .u64(0, DeviceIdentity.FIRMWARE)
        .u64(8, guid)
        .u64(16, guid)
        .u64(24, Long.MAX_VALUE)
        .u64(32, pages & 0xffffffffL)
        .u32(40, DeviceIdentity.VENDOR_OUI)
        .u32(44, DeviceIdentity.PART)
        .u32(52, maxQp)
        .u32(56, requests)
        .u32(60, PORT_ACTIVE_EVENT | SYS_IMAGE_GUID | RC_RNR_NAK_GEN)
        .u32(64, Math.min(sendSges, receiveSges))
        .u32(68, Math.min(sendSges, receiveSges))
        .u32(72, 1 << cap.getInt(CmdHcaCap.LOG_MAX_CQ))
        .u32(76, (1 << cap.getInt(CmdHcaCap.LOG_MAX_CQ_SZ)) - 1)
        .u32(80, 1 << cap.getInt(CmdHcaCap.LOG_MAX_MKEY))
        .u32(84, 1 << cap.getInt(CmdHcaCap.LOG_MAX_PD))
        .u32(88, 1 << cap.getInt(CmdHcaCap.LOG_MAX_RA_REQ_QP))
        .u32(96, reads * maxQp)
        .u32(100, reads)
        .u32(108, atomic.isSet(AtomicCaps.ATOMIC_OPERATIONS) ? 1 : 0)
        .u32(144, Integer.MAX_VALUE) // max_ah
        .u32(156, 1 << cap.getInt(CmdHcaCap.LOG_MAX_RMP))
        .u32(160, (1 << cap.getInt(CmdHcaCap.LOG_MAX_SRQ_SZ)) - 1)
        .u32(164, receiveSges - 1) // the first 16 bytes link to the next WQE
        .u16(168, hca.queryPort(1).pkeyTableLength())
        .u8(170, 16)
        .u8(171, 1);
  }

  /** Mirrors {@code ib_user_verbs.h: ib_uverbs_query_port_resp}, within 48 bytes. */
  static Fields port(Hca hca, int number) {
    Refusal.require(number == 1, Errno.EINVAL, "port %d: this device has port 1 only", number);
    HcaPort port = hca.queryPort(number);
    return Fields.of(48)
        .u32(0, 1 << 16) // IB_PORT_CM_SUP
        .u32(4, 1 << 30)
        .u32(16, port.gidTableLength())
        .u16(20, port.pkeyTableLength())
        .u8(26, port.active() ? PORT_ACTIVE : PORT_DOWN)
        .u8(27, QpCommands.log2(port.maxMtu()) - 7)
        .u8(28, QpCommands.log2(port.activeMtu()) - 7)
        .u8(34, 2) // 4 lanes
        .u8(35, 128) // of 100 Gbit/s (NDR)
        .u8(36, port.active() ? LINK_UP : LINK_DISABLED)
        .u8(37, LINK_ETHERNET);
  }

  /** Mirrors {@code ib_user_ioctl_verbs.h: ib_uverbs_gid_entry}. */
  static Fields gid(Hca hca, int port, int index) {
    Refusal.require(port == 1, Errno.EINVAL, "port %d: this device has port 1 only", port);
    Refusal.require(
        index >= 0 && index < hca.queryPort(port).gidTableLength(),
        Errno.EINVAL,
        "GID index %d is outside of the table",
        index);
    Gid gid = hca.queryGid(port, index);
    Refusal.require(!gid.equals(Gid.ZERO), Errno.ENODATA, "GID %d is empty", index);
    return Fields.of(GID_ENTRY_BYTES)
        .bytes(0, gid.bytes())
        .u32(16, index)
        .u32(20, port)
        .u32(24, GID_TYPE_ROCE_V2)
        .u32(28, NO_NETWORK_DEVICE);
  }

  /** Answers UVERBS_METHOD_QUERY_GID_TABLE. */
  static void gidTable(Hca hca, IoctlCall call) {
    int entryBytes = (int) call.number(0);
    Refusal.require(
        entryBytes >= GID_ENTRY_BYTES, Errno.EINVAL, "a GID entry has %d bytes", entryBytes);
    int room = call.room(2) / entryBytes;
    Fields entries = Fields.of(room * entryBytes);
    int found = 0;
    for (int index = 0; index < hca.queryPort(1).gidTableLength(); index++) {
      if (!hca.queryGid(1, index).equals(Gid.ZERO)) {
        Refusal.require(found < room, Errno.EINVAL, "there is room for %d GIDs only", room);
        entries.bytes(found++ * entryBytes, gid(hca, 1, index).bytes());
      }
    }
    call.put(2, entries);
    call.putLong(3, found);
  }
}
