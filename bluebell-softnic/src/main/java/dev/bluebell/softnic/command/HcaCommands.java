package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.Capabilities.OdpPerTransportServiceCap;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.Capabilities.RoceCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.DeviceCommands.QueryAdapterOut;
import dev.bluebell.hca.command.DeviceCommands.QueryAdapterParamBlock;
import dev.bluebell.hca.command.DeviceCommands.QueryLagOut;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsOut;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.View;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.option.Profile;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Multicast;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.Compression;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.Walk;
import dev.bluebell.softnic.transport.MulticastGroups;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Queries of the device itself: capabilities, adapter, special contexts, addresses. Claims only
 * capabilities that the device has.
 */
final class HcaCommands {
  // Sizes of atomics: bits whose value is the size.
  private static final int ATOMIC_SIZES = 4 | 8 | 16;

  /** Table sizes are codes: 8 GIDs and 128 partition keys, each times a power of two. */
  private static final int GIDS_OF_CODE_0 = 8;

  private static final int PARTITION_KEYS_OF_CODE_0 = 128;
  private static final int PSID_BYTES = 16;

  private HcaCommands() {}

  static View queryCapabilities(View in, Port port, Profile profile) {
    int type = CapabilityType.of(in.getInt(CmdIn.OP_MOD));
    View out = View.of(QueryHcaCapOut.STRUCTURE);
    View capability =
        out.at(new Area("capability", QueryHcaCapOut.CAPABILITY.bit() / 8, CmdHcaCap.STRUCTURE));
    switch (type) {
      case CapabilityType.GENERAL -> {
        general(capability);
        ofPort(capability, port);
      }
      case CapabilityType.GENERAL_2 -> capability.set(CmdHcaCap2.DP_ORDERING_FORCE, true);
      case CapabilityType.ODP -> onDemand(capability);
      case CapabilityType.ATOMIC -> atomic(capability);
      case CapabilityType.ROCE -> {
        requireValid(
            port.linkLayer() == LinkLayer.ETHERNET,
            "op_mod 0x%x asks for the RoCE capabilities, which an InfiniBand port does not have",
            in.getInt(CmdIn.OP_MOD));
        roce(capability);
      }
      case CapabilityType.DEV_MEM -> deviceMemory(capability);
      // Capabilities of types that this device lacks are zeros, as on a card without them.
      default ->
          requireValid(
              type <= CapabilityType.ADV_VIRTUALIZATION,
              "op_mod 0x%x asks for capability type 0x%x; the last type is 0x%x",
              in.getInt(CmdIn.OP_MOD),
              type,
              CapabilityType.ADV_VIRTUALIZATION);
    }
    profile.limit(type, capability, port.linkLayer());
    return out;
  }

  static View general(Port port, Profile profile) {
    View capability = View.of(CmdHcaCap.STRUCTURE);
    general(capability);
    ofPort(capability, port);
    profile.limit(CapabilityType.GENERAL, capability, port.linkLayer());
    return capability;
  }

  private static void general(View cap) {
    cap.set(CmdHcaCap.LOG_MAX_SRQ_SZ, Limits.LOG_MAX_SRQ_SIZE);
    cap.set(CmdHcaCap.LOG_MAX_QP_SZ, Limits.LOG_MAX_QP_SIZE);
    cap.set(CmdHcaCap.LOG_MAX_QP, Limits.LOG_MAX_QP);
    cap.set(CmdHcaCap.LOG_MAX_CQ_SZ, Limits.LOG_MAX_CQ_SIZE);
    cap.set(CmdHcaCap.LOG_MAX_CQ, Limits.LOG_MAX_CQ);
    cap.set(CmdHcaCap.LOG_MAX_RMP, Limits.LOG_MAX_RMP);
    cap.set(CmdHcaCap.LOG_MAX_MKEY, Limits.LOG_MAX_MKEY);
    cap.set(CmdHcaCap.MAX_INDIRECTION, Walk.MAX_DEPTH)
        .set(CmdHcaCap.LOG_MAX_KLM_LIST_SIZE, Limits.LOG_MAX_KLM_LIST_SIZE)
        .set(CmdHcaCap.FIXED_BUFFER_SIZE, true)
        .set(CmdHcaCap.IMAICL, true);
    cap.set(CmdHcaCap.LOG_MAX_PD, Limits.LOG_MAX_PD);
    cap.set(CmdHcaCap.LOG_MAX_UMEM, Limits.LOG_MAX_UMEM);
    cap.set(CmdHcaCap.LOG_MAX_MSG, Limits.LOG_MAX_MESSAGE);
    cap.set(CmdHcaCap.LOG_MAX_RA_REQ_QP, Limits.LOG_MAX_READS);
    cap.set(CmdHcaCap.LOG_MAX_RA_RES_QP, Limits.LOG_MAX_READS);
    cap.set(CmdHcaCap.MAX_WQE_SZ_SQ, Limits.MAX_SEND_WQE_BYTES);
    cap.set(CmdHcaCap.MAX_WQE_SZ_RQ, Limits.MAX_RECEIVE_WQE_BYTES);
    cap.set(CmdHcaCap.TAG_MATCHING, true)
        .set(CmdHcaCap.RNDV_OFFLOAD_RC, true)
        .set(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ, Limits.LOG_MAX_TAGS)
        .set(CmdHcaCap.LOG_MAX_XRQ, Limits.LOG_MAX_XRQ);
    cap.set(CmdHcaCap.NUM_PORTS, 1);
    cap.set(CmdHcaCap.LOG_MAX_MCG, MulticastGroups.LOG_MOST)
        .set(CmdHcaCap.MAX_QP_MCG, Multicast.MOST_MEMBERS)
        .set(CmdHcaCap.BLOCK_LB_MC, true);
    cap.set(CmdHcaCap.CQE_VERSION, 1).set(CmdHcaCap.UMR_FENCE, 1);
    cap.set(CmdHcaCap.RC, true).set(CmdHcaCap.UC, true).set(CmdHcaCap.UD, true);
    cap.set(CmdHcaCap.DCT, true)
        .set(CmdHcaCap.QPC_EXTENSION, true)
        .set(CmdHcaCap.LOG_MAX_DCT_CONNECTIONS, Limits.LOG_MAX_DCT_CONNECTIONS)
        .set(CmdHcaCap.LOG_MAX_DCI_STREAM_CHANNELS, Limits.LOG_MAX_DCI_STREAMS)
        .set(CmdHcaCap.LOG_MAX_DCI_ERRORED_STREAMS, Limits.LOG_MAX_DCI_STREAMS)
        .set(CmdHcaCap.LOG_MAX_RA_REQ_DC, Limits.LOG_MAX_READS)
        .set(CmdHcaCap.LOG_MAX_RA_RES_DC, Limits.LOG_MAX_READS)
        .set(CmdHcaCap.MAX_WQE_SZ_SQ_DC, Limits.MAX_SEND_WQE_BYTES);
    cap.set(CmdHcaCap.XRC, true).set(CmdHcaCap.LOG_MAX_XRCD, Limits.LOG_MAX_XRCD);
    cap.set(CmdHcaCap.ATOMIC, true).set(CmdHcaCap.DEVICE_MEMORY, true);
    cap.set(CmdHcaCap.SCTR_DATA_CQE, true)
        .set(CmdHcaCap.DC_REQ_SCAT_DATA_CQE, true)
        .set(CmdHcaCap.WQ_SIGNATURE, true);
    cap.set(CmdHcaCap.DMA_MMO_QP, true).set(CmdHcaCap.LOG_DMA_MMO_MAX_SIZE, Limits.LOG_MAX_MESSAGE);
    cap.set(CmdHcaCap.CD, true).set(CmdHcaCap.WAIT_ON_DATA, true).set(CmdHcaCap.WAIT_ON_TIME, true);
    cap.set(CmdHcaCap.CQ_OI, true)
        .set(CmdHcaCap.CQ_RESIZE, true)
        .set(CmdHcaCap.CQ_MODERATION, true)
        .set(CmdHcaCap.CQ_PERIOD_MODE_MODIFY, true)
        .set(CmdHcaCap.CQ_PERIOD_START_FROM_CQE, true)
        .set(CmdHcaCap.SCQE_BREAK_MODERATION, true);
    cap.set(CmdHcaCap.CQE_COMPRESSION, true)
        .set(CmdHcaCap.CQE_COMPRESSION_128, true)
        .set(CmdHcaCap.ENHANCED_CQE_COMPRESSION, true)
        .set(CmdHcaCap.MINI_CQE_RESP_STRIDE_INDEX, true)
        .set(CmdHcaCap.CQE_COMPRESSION_TIMEOUT, Compression.TIMEOUT_MICROS)
        .set(CmdHcaCap.CQE_COMPRESSION_MAX_NUM, Compression.MAX_NUM);
    cap.set(CmdHcaCap.RELAXED_ORDERING_WRITE, true).set(CmdHcaCap.RELAXED_ORDERING_READ, true);
    // UCX calls these dp_ordering_ooo_rw_rc and so on.
    cap.set(CmdHcaCap.MULTI_PATH_RC_RDMA, true)
        .set(CmdHcaCap.MULTI_PATH_XRC_RDMA, true)
        .set(CmdHcaCap.MULTI_PATH_DC_RDMA, true);
    cap.set(CmdHcaCap.DP_ORDERING_OOO_ALL_RC, true)
        .set(CmdHcaCap.DP_ORDERING_OOO_ALL_XRC, true)
        .set(CmdHcaCap.DP_ORDERING_OOO_ALL_DC, true);
    cap.set(CmdHcaCap.IB_STRIDING_WQ, true)
        .set(CmdHcaCap.IB_STRIDING_WQ_CQ_FIRST_INDICATION, true)
        .set(CmdHcaCap.EXT_STRIDE_NUM_RANGE, true);
    cap.set(CmdHcaCap.RELAXED_ORDERING_WRITE_UMR, true)
        .set(CmdHcaCap.RELAXED_ORDERING_READ_UMR, true);
    cap.set(CmdHcaCap.OUT_OF_SEQ_CNT, true)
        .set(CmdHcaCap.RETRANSMISSION_Q_COUNTERS, true)
        .set(CmdHcaCap.RNR_NAK_Q_COUNTERS, true)
        .set(CmdHcaCap.ENHANCED_ERROR_Q_COUNTERS, true);
    cap.set(CmdHcaCap.HCA_CAP_2, true).set(CmdHcaCap.PG, true);
    cap.set(CmdHcaCap.UAR_4K, true).set(CmdHcaCap.BF, true).set(CmdHcaCap.LOG_BF_REG_SIZE, 9);
    cap.set(CmdHcaCap.VPORT_COUNTERS, true).set(CmdHcaCap.DUMP_FILL_MKEY, true);
    // A query for options returns none: the two ends have no options in common.
    cap.set(CmdHcaCap.ECE_SUPPORT, true);
    cap.set(CmdHcaCap.DEVICE_FREQUENCY_KHZ, Limits.FREQUENCY_KHZ);
  }

  private static void ofPort(View cap, Port port) {
    boolean infiniBand = port.linkLayer() == LinkLayer.INFINIBAND;
    cap.set(CmdHcaCap.PORT_TYPE, infiniBand ? 0 : 1)
        .set(CmdHcaCap.ROCE, !infiniBand)
        .set(CmdHcaCap.CC_QUERY_ALLOWED, !infiniBand)
        .set(CmdHcaCap.IB_VIRT, infiniBand)
        .set(CmdHcaCap.PKV, infiniBand)
        .set(CmdHcaCap.QKV, infiniBand)
        .set(CmdHcaCap.COMPACT_ADDRESS_VECTOR, infiniBand)
        .set(CmdHcaCap.GID_TABLE_SIZE, code(Port.GID_TABLE_LENGTH, GIDS_OF_CODE_0))
        .set(CmdHcaCap.PKEY_TABLE_SIZE, code(port.partitionKeys(), PARTITION_KEYS_OF_CODE_0));
  }

  private static int code(int entries, int ofCode0) {
    return Integer.numberOfTrailingZeros(Math.max(entries, ofCode0) / ofCode0);
  }

  // The device accesses other processes' memory through the kernel each time, so all of it is on
  // demand. Cards never claim on-demand paging for UC; some claim fewer operations of XRC and DC
  // than of RC, which a profile takes away.
  private static void onDemand(View cap) {
    cap.at(OdpCap.UD_ODP_CAPS)
        .set(OdpPerTransportServiceCap.SEND, true)
        .set(OdpPerTransportServiceCap.SRQ_RECEIVE, true);
    for (Area service : List.of(OdpCap.RC_ODP_CAPS, OdpCap.XRC_ODP_CAPS, OdpCap.DC_ODP_CAPS)) {
      cap.at(service)
          .set(OdpPerTransportServiceCap.SEND, true)
          .set(OdpPerTransportServiceCap.RECEIVE, true)
          .set(OdpPerTransportServiceCap.WRITE, true)
          .set(OdpPerTransportServiceCap.READ, true)
          .set(OdpPerTransportServiceCap.ATOMIC, true)
          .set(OdpPerTransportServiceCap.SRQ_RECEIVE, true);
    }
  }

  private static void atomic(View cap) {
    cap.set(AtomicCaps.ATOMIC_REQ_8B_ENDIANNESS_MODE, 1)
        .set(AtomicCaps.SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1, 1);
    cap.set(
            AtomicCaps.ATOMIC_OPERATIONS,
            AtomicCaps.COMPARE_SWAP
                | AtomicCaps.FETCH_ADD
                | AtomicCaps.EXTENDED_COMPARE_SWAP
                | AtomicCaps.EXTENDED_FETCH_ADD)
        .set(AtomicCaps.ATOMIC_SIZE_QP, ATOMIC_SIZES)
        .set(AtomicCaps.ATOMIC_SIZE_DC, ATOMIC_SIZES);
  }

  // No memic_operations: the mapping supports only plain reads and writes.
  private static void deviceMemory(View cap) {
    cap.set(DeviceMemCap.MEMIC, true)
        .set(DeviceMemCap.LOG_MIN_MEMIC_ALLOC_SIZE, Limits.LOG_MIN_MEMIC_BYTES)
        .set(DeviceMemCap.LOG_MAX_MEMIC_ADDR_ALIGNMENT, Limits.LOG_MAX_MEMIC_ALIGNMENT);
    cap.set(DeviceMemCap.MEMIC_BAR_START_ADDR, Limits.MEMIC_BAR_START)
        .set(DeviceMemCap.MEMIC_BAR_SIZE, Limits.MEMIC_BAR_BYTES)
        .set(DeviceMemCap.MAX_MEMIC_SIZE, Limits.MAX_MEMIC_BYTES);
  }

  private static void roce(View cap) {
    cap.set(RoceCap.ROCE_VERSION, 1 << PortCommands.ROCE_V1 | 1 << PortCommands.ROCE_V2)
        .set(RoceCap.ROCE_ADDRESS_TABLE_SIZE, Port.GID_TABLE_LENGTH);
    cap.set(RoceCap.R_ROCE_DEST_UDP_PORT, Udp.ROCE_PORT);
    cap.set(RoceCap.R_ROCE_MIN_SRC_UDP_PORT, EthernetPort.MIN_SOURCE_PORT)
        .set(RoceCap.R_ROCE_MAX_SRC_UDP_PORT, 0xffff);
  }

  static View queryAdapter(Profile profile) {
    View out = View.of(QueryAdapterOut.STRUCTURE);
    byte[] board = profile.identity().board().getBytes(StandardCharsets.US_ASCII);
    byte[] name = Arrays.copyOf(board, PSID_BYTES);
    out.at(QueryAdapterOut.QUERY_ADAPTER_STRUCT)
        .setBytes(QueryAdapterParamBlock.VSD_CONTD_PSID, name);
    return out;
  }

  /**
   * No reserved lkey: it would reach all memory of the process. That and the null key are 0, which
   * is never valid.
   */
  static View querySpecialContexts() {
    return View.of(QuerySpecialContextsOut.STRUCTURE)
        .set(QuerySpecialContextsOut.DUMP_FILL_MKEY, KeyTable.NOTHING);
  }

  /** The state of a card without a LAG: with one port there is nothing to aggregate. */
  static View queryLag() {
    return View.of(QueryLagOut.STRUCTURE);
  }
}
