package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsIn;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsOut;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.CqModerationCaps;
import dev.bluebell.hca.uverbs.DeviceAbi.ExQueryDeviceResp;
import dev.bluebell.hca.uverbs.DeviceAbi.GidEntry;
import dev.bluebell.hca.uverbs.DeviceAbi.Mlx5AllocUcontextResp;
import dev.bluebell.hca.uverbs.DeviceAbi.Mlx5QueryDeviceResp;
import dev.bluebell.hca.uverbs.DeviceAbi.OdpCaps;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryDeviceResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortRespEx;
import dev.bluebell.hca.uverbs.DeviceAbi.TmCaps;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.qp.OutOfOrder;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.ClockPages;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.session.VportContext;

/**
 * Answers queries of the device, its port and its GIDs from the device's capabilities, as {@code
 * mlx5_ib main.c: mlx5_ib_query_device, mlx5_ib_alloc_ucontext} do. Reports no feature that the
 * device lacks.
 */
public final class DeviceQueries {
  // ib_verbs.h: ib_device_cap_flags.
  /** {@code ib_verbs.h: IB_DEVICE_CROSS_CHANNEL}, which no public header has. */
  private static final int DEVICE_CROSS_CHANNEL = 1 << 27;

  private static final int BAD_PKEY_CNTR = 1 << 1;
  private static final int BAD_QKEY_CNTR = 1 << 2;
  private static final int BLOCK_MULTICAST_LOOPBACK = 1 << 22;
  private static final int PORT_ACTIVE_EVENT = 1 << 10;
  private static final int SYS_IMAGE_GUID = 1 << 11;
  private static final int RC_RNR_NAK_GEN = 1 << 12;
  private static final int CAP_FLAGS = PORT_ACTIVE_EVENT | SYS_IMAGE_GUID | RC_RNR_NAK_GEN;

  // ib_verbs.h: ib_tm_cap_flags; mlx5_ib.h: MLX5_TM_MAX_RNDV_MSG_SIZE.
  private static final int TAGS_RENDEZVOUS_RC = 1;
  private static final int MAX_RENDEZVOUS_BYTES = 64;

  /** Pages of 4 KiB and more. */
  private static final long PAGE_SIZES = 0xffff_f000L;

  private static final int LOG_PAGE_BYTES = 12;
  private static final int CACHE_LINE_BYTES = 64;
  private static final int MAX_SEND_WQE_BYTES = 512;
  private static final int SEND_HEADER_BYTES = 32;
  private static final int MAX_MESSAGE_BYTES = 1 << 30;
  private static final int ACK_DELAY = 16;
  private static final int PORTS = 1;

  /** {@code device.h: mlx5_to_sw_pkey_sz}. */
  private static final int PKEYS_OF_CODE_0 = 128;

  // ib_verbs.h: ib_port_state, ib_port_phys_state, ib_port_width, ib_port_speed.
  private static final int PORT_ACTIVE = 4;
  private static final int PORT_DOWN = 1;
  private static final int LINK_UP = 5;
  private static final int LINK_DISABLED = 3;
  private static final int WIDTH_4X = 2;
  private static final int SPEED_NDR = 128;

  // rdma-core's verbs.h: IBV_LINK_LAYER_ETHERNET.
  private static final int LINK_INFINIBAND = 1;
  private static final int LINK_ETHERNET = 2;

  /** Code of 8 lanes. */
  private static final int VIRTUAL_LANES = 4;

  private static final int NO_NETWORK_DEVICE = 0;

  private DeviceQueries() {}

  /** A context, as {@link Mlx5AllocUcontextResp}. */
  static View context(Session session) {
    Hca hca = session.hca();
    View cap = Capabilities.general(hca);
    return View.of(Mlx5AllocUcontextResp.STRUCTURE)
        .set(Mlx5AllocUcontextResp.QP_TAB_SIZE, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP))
        .set(Mlx5AllocUcontextResp.BF_REG_SIZE, 1 << cap.getInt(CmdHcaCap.LOG_BF_REG_SIZE))
        .set(Mlx5AllocUcontextResp.TOT_BFREGS, session.registers().count())
        .set(Mlx5AllocUcontextResp.NUM_DYN_BFREGS, session.registers().mappable())
        .set(Mlx5AllocUcontextResp.CACHE_LINE_SIZE, CACHE_LINE_BYTES)
        .set(Mlx5AllocUcontextResp.MAX_SQ_DESC_SZ, cap.getInt(CmdHcaCap.MAX_WQE_SZ_SQ))
        .set(Mlx5AllocUcontextResp.MAX_RQ_DESC_SZ, cap.getInt(CmdHcaCap.MAX_WQE_SZ_RQ))
        .set(Mlx5AllocUcontextResp.MAX_SEND_WQEBB, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ))
        .set(Mlx5AllocUcontextResp.MAX_RECV_WR, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ))
        .set(Mlx5AllocUcontextResp.MAX_SRQ_RECV_WR, 1 << cap.getInt(CmdHcaCap.LOG_MAX_SRQ_SZ))
        .set(Mlx5AllocUcontextResp.NUM_PORTS, PORTS)
        // The offset of the clock is 0.
        .set(
            Mlx5AllocUcontextResp.COMP_MASK,
            Mlx5.IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET
                | Mlx5.IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY
                | (cap.isSet(CmdHcaCap.ECE_SUPPORT) ? Mlx5.IB_ALLOC_UCONTEXT_RESP_MASK_ECE : 0))
        .set(Mlx5AllocUcontextResp.DUMP_FILL_MKEY, dumpFillKey(hca))
        .set(Mlx5AllocUcontextResp.RESPONSE_LENGTH, Mlx5AllocUcontextResp.STRUCTURE.bytes())
        .set(Mlx5AllocUcontextResp.CQE_VERSION, cap.getInt(CmdHcaCap.CQE_VERSION))
        .set(
            Mlx5AllocUcontextResp.CMDS_SUPP_UHW,
            Mlx5.USER_CMDS_SUPP_UHW_QUERY_DEVICE | Mlx5.USER_CMDS_SUPP_UHW_CREATE_AH)
        .set(Mlx5AllocUcontextResp.ETH_MIN_INLINE, Mlx5.USER_INLINE_MODE_NONE)
        .set(Mlx5AllocUcontextResp.CLOCK_INFO_VERSIONS, ClockPages.versions(hca))
        .set(Mlx5AllocUcontextResp.LOG_UAR_SIZE, LOG_PAGE_BYTES)
        .set(Mlx5AllocUcontextResp.NUM_UARS_PER_PAGE, 1);
  }

  /** The lkey of libmlx5's null memory region. */
  private static int dumpFillKey(Hca hca) {
    byte[] command =
        View.command(QuerySpecialContextsIn.STRUCTURE, CommandOpcode.QUERY_SPECIAL_CONTEXTS)
            .bytes();
    return View.over(hca.execute(command)).getInt(QuerySpecialContextsOut.DUMP_FILL_MKEY);
  }

  /** The device, as {@link QueryDeviceResp}. */
  static View device(Hca hca) {
    View cap = Capabilities.general(hca);
    View atomic = Capabilities.atomic(hca);
    // Big-endian.
    long guid = Long.reverseBytes(DeviceIdentity.guid(hca));
    int requests = 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ);
    int reads = 1 << cap.getInt(CmdHcaCap.LOG_MAX_RA_RES_QP);
    int maxQp = 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP);
    int receiveSges = cap.getInt(CmdHcaCap.MAX_WQE_SZ_RQ) / DataSegment.BYTES;
    int sges = Math.min(sendSges(cap), receiveSges);
    return View.of(QueryDeviceResp.STRUCTURE)
        .set(QueryDeviceResp.FW_VER, DeviceIdentity.firmware(hca))
        .set(QueryDeviceResp.NODE_GUID, guid)
        .set(QueryDeviceResp.SYS_IMAGE_GUID, guid)
        .set(QueryDeviceResp.MAX_MR_SIZE, Long.MAX_VALUE)
        .set(QueryDeviceResp.PAGE_SIZE_CAP, PAGE_SIZES)
        .set(QueryDeviceResp.VENDOR_ID, DeviceIdentity.VENDOR_OUI)
        .set(QueryDeviceResp.VENDOR_PART_ID, hca.identity().part())
        .set(QueryDeviceResp.MAX_QP, maxQp)
        .set(QueryDeviceResp.MAX_QP_WR, requests)
        .set(
            QueryDeviceResp.DEVICE_CAP_FLAGS,
            CAP_FLAGS
                | (cap.isSet(CmdHcaCap.XRC) ? Verbs.DEVICE_XRC : 0)
                | (cap.isSet(CmdHcaCap.CD) ? DEVICE_CROSS_CHANNEL : 0)
                | (cap.isSet(CmdHcaCap.PKV) ? BAD_PKEY_CNTR : 0)
                | (cap.isSet(CmdHcaCap.QKV) ? BAD_QKEY_CNTR : 0)
                | (cap.isSet(CmdHcaCap.BLOCK_LB_MC) ? BLOCK_MULTICAST_LOOPBACK : 0)
                | (cap.isSet(CmdHcaCap.IMAICL)
                    ? Verbs.DEVICE_MEM_WINDOW | Verbs.DEVICE_MEM_WINDOW_TYPE_2B
                    : 0))
        .set(QueryDeviceResp.MAX_SGE, sges)
        .set(QueryDeviceResp.MAX_SGE_RD, sges)
        .set(QueryDeviceResp.MAX_CQ, 1 << cap.getInt(CmdHcaCap.LOG_MAX_CQ))
        .set(QueryDeviceResp.MAX_CQE, (1 << cap.getInt(CmdHcaCap.LOG_MAX_CQ_SZ)) - 1)
        .set(QueryDeviceResp.MAX_MR, 1 << cap.getInt(CmdHcaCap.LOG_MAX_MKEY))
        .set(
            QueryDeviceResp.MAX_MW,
            cap.isSet(CmdHcaCap.IMAICL) ? 1 << cap.getInt(CmdHcaCap.LOG_MAX_MKEY) : 0)
        .set(QueryDeviceResp.MAX_PD, 1 << cap.getInt(CmdHcaCap.LOG_MAX_PD))
        .set(QueryDeviceResp.MAX_QP_RD_ATOM, 1 << cap.getInt(CmdHcaCap.LOG_MAX_RA_REQ_QP))
        .set(QueryDeviceResp.MAX_RES_RD_ATOM, reads * maxQp)
        .set(QueryDeviceResp.MAX_QP_INIT_RD_ATOM, reads)
        .set(QueryDeviceResp.ATOMIC_CAP, atomic.isSet(AtomicCaps.ATOMIC_OPERATIONS))
        .set(QueryDeviceResp.MAX_AH, Integer.MAX_VALUE)
        .set(QueryDeviceResp.MAX_SRQ, 1 << cap.getInt(CmdHcaCap.LOG_MAX_RMP))
        .set(QueryDeviceResp.MAX_SRQ_WR, (1 << cap.getInt(CmdHcaCap.LOG_MAX_SRQ_SZ)) - 1)
        // The first segment links to the next WQE.
        .set(QueryDeviceResp.MAX_SRQ_SGE, receiveSges - 1)
        .set(QueryDeviceResp.MAX_MCAST_GRP, 1 << cap.getInt(CmdHcaCap.LOG_MAX_MCG))
        .set(QueryDeviceResp.MAX_MCAST_QP_ATTACH, cap.getInt(CmdHcaCap.MAX_QP_MCG))
        .set(
            QueryDeviceResp.MAX_TOTAL_MCAST_QP_ATTACH,
            cap.getInt(CmdHcaCap.MAX_QP_MCG) << cap.getInt(CmdHcaCap.LOG_MAX_MCG))
        .set(QueryDeviceResp.MAX_PKEYS, PKEYS_OF_CODE_0 << cap.getInt(CmdHcaCap.PKEY_TABLE_SIZE))
        .set(QueryDeviceResp.LOCAL_CA_ACK_DELAY, ACK_DELAY)
        .set(QueryDeviceResp.PHYS_PORT_CNT, PORTS);
  }

  /** Data segments that fit in a WQE after the control and remote address segments. */
  private static int sendSges(View cap) {
    int bytes = Math.min(cap.getInt(CmdHcaCap.MAX_WQE_SZ_SQ), MAX_SEND_WQE_BYTES);
    return (bytes - SEND_HEADER_BYTES) / DataSegment.BYTES;
  }

  /**
   * The device, as {@link ExQueryDeviceResp}.
   *
   * @param room bytes of the client's buffer
   */
  public static View extendedDevice(Hca hca, int room) {
    View cap = Capabilities.general(hca);
    View base = device(hca);
    View device =
        View.of(ExQueryDeviceResp.STRUCTURE)
            .set(ExQueryDeviceResp.BASE, base)
            .set(
                ExQueryDeviceResp.RESPONSE_LENGTH,
                Math.min(room, ExQueryDeviceResp.STRUCTURE.bytes()))
            .set(ExQueryDeviceResp.TIMESTAMP_MASK, -1L)
            .set(ExQueryDeviceResp.HCA_CORE_CLOCK, cap.get(CmdHcaCap.DEVICE_FREQUENCY_KHZ))
            .set(ExQueryDeviceResp.DEVICE_CAP_FLAGS_EX, base.get(QueryDeviceResp.DEVICE_CAP_FLAGS))
            .set(
                ExQueryDeviceResp.MAX_DM_SIZE,
                Capabilities.deviceMemory(hca).get(DeviceMemCap.MAX_MEMIC_SIZE));
    OnDemand onDemand = new OnDemand(Capabilities.onDemand(hca));
    device
        .at(ExQueryDeviceResp.ODP_CAPS)
        .set(OdpCaps.GENERAL_CAPS, onDemand.general())
        .set(OdpCaps.RC_ODP_CAPS, onDemand.of(OdpCap.RC_ODP_CAPS))
        .set(OdpCaps.UC_ODP_CAPS, onDemand.of(OdpCap.UC_ODP_CAPS))
        .set(OdpCaps.UD_ODP_CAPS, onDemand.of(OdpCap.UD_ODP_CAPS));
    device.set(ExQueryDeviceResp.XRC_ODP_CAPS, onDemand.of(OdpCap.XRC_ODP_CAPS));
    device
        .at(ExQueryDeviceResp.CQ_MODERATION_CAPS)
        .set(CqModerationCaps.MAX_CQ_MODERATION_COUNT, 0xffff)
        .set(CqModerationCaps.MAX_CQ_MODERATION_PERIOD, 0xfff);
    setTagMatching(cap, device.at(ExQueryDeviceResp.TM_CAPS));
    return device;
  }

  private static void setTagMatching(View cap, View tags) {
    if (cap.isSet(CmdHcaCap.TAG_MATCHING)) {
      tags.set(TmCaps.MAX_NUM_TAGS, (1 << cap.getInt(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ)) - 1)
          .set(TmCaps.MAX_OPS, 1 << cap.getInt(CmdHcaCap.LOG_MAX_QP_SZ))
          .set(TmCaps.MAX_SGE, 1);
      if (cap.isSet(CmdHcaCap.RNDV_OFFLOAD_RC)) {
        tags.set(TmCaps.FLAGS, TAGS_RENDEZVOUS_RC)
            .set(TmCaps.MAX_RNDV_HDR_SIZE, MAX_RENDEZVOUS_BYTES);
      }
    }
  }

  /**
   * The driver's part of the device, as {@link Mlx5QueryDeviceResp}.
   *
   * @param room bytes of the client's buffer
   */
  static View driverDevice(Hca hca, int room) {
    Refusal.require(
        room == 0 || room >= Mlx5QueryDeviceResp.RESPONSE_LENGTH.end(),
        Errno.EINVAL,
        "%d bytes have no room for the length of the driver's answer",
        room);
    View cap = Capabilities.general(hca);
    View device = View.of(Mlx5QueryDeviceResp.STRUCTURE);
    setCompression(cap, device);
    return device
        .set(
            Mlx5QueryDeviceResp.MAX_LOG_NUM_CONCURENT,
            cap.getInt(CmdHcaCap.LOG_MAX_DCI_STREAM_CHANNELS))
        .set(
            Mlx5QueryDeviceResp.MAX_LOG_NUM_ERRORED,
            cap.getInt(CmdHcaCap.LOG_MAX_DCI_ERRORED_STREAMS))
        .set(Mlx5QueryDeviceResp.FLAGS, flags(hca, cap))
        // Older libraries have no room for the last fields.
        .set(
            Mlx5QueryDeviceResp.RESPONSE_LENGTH,
            Math.min(room, Mlx5QueryDeviceResp.STRUCTURE.bytes()));
  }

  private static void setCompression(View cap, View device) {
    if (cap.isSet(CmdHcaCap.CQE_COMPRESSION)) {
      int formats = Mlx5.IB_CQE_RES_FORMAT_HASH | Mlx5.IB_CQE_RES_FORMAT_CSUM;
      if (cap.isSet(CmdHcaCap.MINI_CQE_RESP_STRIDE_INDEX)) {
        formats |= Mlx5.IB_CQE_RES_FORMAT_CSUM_STRIDX;
      }
      device
          .set(Mlx5QueryDeviceResp.MAX_NUM, cap.getInt(CmdHcaCap.CQE_COMPRESSION_MAX_NUM))
          .set(Mlx5QueryDeviceResp.SUPPORTED_FORMAT, formats);
    }
  }

  private static int flags(Hca hca, View cap) {
    int largeCompressed =
        cap.isSet(CmdHcaCap.CQE_COMPRESSION_128) ? Mlx5.IB_QUERY_DEV_RESP_FLAGS_CQE_128B_COMP : 0;
    int outOfOrder = OutOfOrder.isOffered(hca) ? Mlx5.IB_QUERY_DEV_RESP_FLAGS_OOO_DP : 0;
    return largeCompressed | outOfOrder | Mlx5.IB_QUERY_DEV_RESP_FLAGS_SCAT2CQE_DCT;
  }

  /** A port, as {@link QueryPortRespEx}, which begins with {@link QueryPortResp}. */
  public static View port(Hca hca, int number) {
    Refusal.require(
        number == PORTS, Errno.EINVAL, "the device has no port %d, only port 1", number);
    HcaPort port = hca.queryPort(number);
    View answer = View.of(QueryPortRespEx.STRUCTURE);
    View legacy = answer.at(QueryPortRespEx.LEGACY_RESP);
    legacy
        .set(QueryPortResp.MAX_MSG_SZ, MAX_MESSAGE_BYTES)
        .set(QueryPortResp.GID_TBL_LEN, port.gidTableLength())
        .set(QueryPortResp.PKEY_TBL_LEN, port.pkeyTableLength())
        .set(QueryPortResp.STATE, port.active() ? PORT_ACTIVE : PORT_DOWN)
        .set(QueryPortResp.MAX_MTU, mtu(port.maxMtu()))
        .set(QueryPortResp.ACTIVE_MTU, mtu(port.activeMtu()))
        .set(QueryPortResp.ACTIVE_WIDTH, WIDTH_4X)
        .set(QueryPortResp.ACTIVE_SPEED, SPEED_NDR)
        .set(QueryPortResp.PHYS_STATE, port.active() ? LINK_UP : LINK_DISABLED);
    if (port.linkLayer() == LinkLayer.ETHERNET) {
      legacy
          .set(QueryPortResp.PORT_CAP_FLAGS, Verbs.PCF_CM_SUP | Verbs.PCF_IP_BASED_GIDS)
          .set(QueryPortResp.LINK_LAYER, LINK_ETHERNET);
    } else {
      View context = VportContext.query(hca);
      addInfiniBand(context, legacy);
      answer.set(QueryPortRespEx.PORT_CAP_FLAGS2, context.getInt(HcaVportContext.CAP_MASK2));
    }
    return answer;
  }

  private static void addInfiniBand(View context, View port) {
    // To clients, the omitted bit means RoCE addresses.
    port.set(
            QueryPortResp.PORT_CAP_FLAGS,
            context.getInt(HcaVportContext.CAP_MASK1) & ~Verbs.PCF_IP_BASED_GIDS)
        .set(QueryPortResp.LINK_LAYER, LINK_INFINIBAND)
        .set(QueryPortResp.PHYS_STATE, context.getInt(HcaVportContext.PORT_PHYSICAL_STATE))
        .set(QueryPortResp.LID, context.getInt(HcaVportContext.LID))
        .set(QueryPortResp.LMC, context.getInt(HcaVportContext.LMC))
        .set(QueryPortResp.SM_LID, context.getInt(HcaVportContext.SM_LID))
        .set(QueryPortResp.SM_SL, context.getInt(HcaVportContext.SM_SL))
        .set(QueryPortResp.SUBNET_TIMEOUT, context.getInt(HcaVportContext.SUBNET_TIMEOUT))
        .set(QueryPortResp.INIT_TYPE_REPLY, context.getInt(HcaVportContext.INIT_TYPE_REPLY))
        .set(QueryPortResp.BAD_PKEY_CNTR, context.getInt(HcaVportContext.PKEY_VIOLATION_COUNTER))
        .set(QueryPortResp.QKEY_VIOL_CNTR, context.getInt(HcaVportContext.QKEY_VIOLATION_COUNTER))
        .set(QueryPortResp.MAX_VL_NUM, VIRTUAL_LANES)
        .set(QueryPortResp.FLAGS, context.isSet(HcaVportContext.GRH_REQUIRED));
  }

  /** An MTU, as {@code ib_verbs.h: ib_mtu} numbers them: 1 for 256 bytes, 2 for 512, and so on. */
  private static int mtu(int bytes) {
    return Integer.numberOfTrailingZeros(Integer.highestOneBit(bytes)) - 7;
  }

  /** A GID, as {@link GidEntry}. */
  static View gid(Hca hca, int port, int index) {
    Refusal.require(port == PORTS, Errno.EINVAL, "the device has no port %d, only port 1", port);
    Refusal.require(
        index >= 0 && index < hca.queryPort(port).gidTableLength(),
        Errno.EINVAL,
        "GID index %d is outside of the table",
        index);
    Gid gid = hca.queryGid(port, index);
    Refusal.require(!gid.equals(Gid.ZERO), Errno.ENODATA, "GID index %d is empty", index);
    return View.of(GidEntry.STRUCTURE)
        .setBytes(GidEntry.GID, gid.bytes())
        .set(GidEntry.GID_INDEX, index)
        .set(GidEntry.PORT_NUM, port)
        .set(GidEntry.GID_TYPE, GidTypes.of(hca, index))
        .set(GidEntry.NETDEV_IFINDEX, NO_NETWORK_DEVICE);
  }
}
