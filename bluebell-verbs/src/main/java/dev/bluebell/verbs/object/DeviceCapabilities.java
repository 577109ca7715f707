package dev.bluebell.verbs.object;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.RoceCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.CompressionAttributes;
import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.MiniCqeFormat;
import java.util.Set;

/** Queries a device's capabilities. */
public final class DeviceCapabilities {
  private static final int CQE_VERSION = 1;
  private static final int MAX_LOG_QUEUE = 15;
  private static final int MASKED_ATOMICS =
      AtomicCaps.EXTENDED_COMPARE_SWAP | AtomicCaps.EXTENDED_FETCH_ADD;
  private static final int ATOMIC_BYTES = 8;

  /** Without ext_stride_num_range, {@code mlx5.h: MLX5_MIN_SINGLE_WQE_LOG_NUM_STRIDES}. */
  private static final int MIN_STRIDES = 1 << 9;

  /** {@code mlx5.h: MLX5_EXT_MIN_SINGLE_WQE_LOG_NUM_STRIDES} of Linux. */
  private static final int MIN_STRIDES_EXTENDED = 1 << 3;

  private DeviceCapabilities() {}

  /**
   * Queries the device.
   *
   * @param linkLayer of its ports
   */
  public static DeviceAttributes query(Hca hca, LinkLayer linkLayer) {
    View caps = capabilities(hca, CapabilityType.GENERAL);
    if (caps.getInt(CmdHcaCap.CQE_VERSION) != CQE_VERSION) {
      throw new IllegalStateException(
          "device %s writes completions of version %d, and the driver reads version %d only"
              .formatted(hca.name(), caps.getInt(CmdHcaCap.CQE_VERSION), CQE_VERSION));
    }
    View atomics = capabilities(hca, CapabilityType.ATOMIC);
    // The queue pair context has 4 bits for either size, whatever the capability says.
    int logQueue = Math.min(MAX_LOG_QUEUE, caps.getInt(CmdHcaCap.LOG_MAX_QP_SZ));
    return new DeviceAttributes(
        caps.getInt(CmdHcaCap.NUM_PORTS),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_QP),
        1 << logQueue,
        1 << logQueue,
        1 << Math.min(MAX_LOG_QUEUE, caps.getInt(CmdHcaCap.LOG_MAX_SRQ_SZ)),
        caps.isSet(CmdHcaCap.TAG_MATCHING)
            ? 1 << Math.min(MAX_LOG_QUEUE, caps.getInt(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ))
            : 0,
        caps.getInt(CmdHcaCap.MAX_WQE_SZ_SQ),
        caps.getInt(CmdHcaCap.MAX_WQE_SZ_RQ),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_CQ),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_CQ_SZ),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_MKEY),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_PD),
        1L << caps.getInt(CmdHcaCap.LOG_MAX_MSG),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_RA_REQ_QP),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_RA_REQ_DC),
        1 << caps.getInt(CmdHcaCap.LOG_MAX_RA_RES_QP),
        maskedAtomicSizes(atomics, AtomicCaps.ATOMIC_SIZE_QP),
        maskedAtomicSizes(atomics, AtomicCaps.ATOMIC_SIZE_DC),
        caps.get(CmdHcaCap.DEVICE_FREQUENCY_KHZ),
        isRealTime(hca, linkLayer, caps),
        caps.isSet(CmdHcaCap.BF),
        caps.isSet(CmdHcaCap.RELAXED_ORDERING_WRITE),
        caps.isSet(CmdHcaCap.RELAXED_ORDERING_READ),
        placesOutOfOrder(hca, caps),
        caps.isSet(CmdHcaCap.WQ_SIGNATURE),
        caps.isSet(CmdHcaCap.RNDV_OFFLOAD_RC),
        caps.isSet(CmdHcaCap.CD),
        caps.isSet(CmdHcaCap.IB_STRIDING_WQ),
        caps.isSet(CmdHcaCap.EXT_STRIDE_NUM_RANGE) ? MIN_STRIDES_EXTENDED : MIN_STRIDES,
        compression(caps));
  }

  /**
   * True without timestamps in cycles. Follows {@code linux qp.h: mlx5_get_qp_default_ts}, but a
   * device with both formats writes cycles.
   */
  private static boolean isRealTime(Hca hca, LinkLayer linkLayer, View caps) {
    boolean roce = linkLayer == LinkLayer.ETHERNET && caps.isSet(CmdHcaCap.ROCE);
    int formats =
        roce
            ? capabilities(hca, CapabilityType.ROCE).getInt(RoceCap.QP_TS_FORMAT)
            : caps.getInt(CmdHcaCap.SQ_TS_FORMAT);
    return formats == RoceCap.REAL_TIME_ONLY;
  }

  /** Value of ts_format with which the device creates queue pairs. */
  public static int timestampFormat(DeviceAttributes attributes) {
    return attributes.realTime() ? Qpc.TS_FORMAT_DEFAULT : Qpc.TS_FORMAT_FREE_RUNNING;
  }

  /** Without dp_ordering_force, the network decides on it, and the driver cannot know. */
  private static boolean placesOutOfOrder(Hca hca, View caps) {
    return caps.isSet(CmdHcaCap.DP_ORDERING_OOO_ALL_RC)
        && caps.isSet(CmdHcaCap.HCA_CAP_2)
        && capabilities(hca, CapabilityType.GENERAL_2).isSet(CmdHcaCap2.DP_ORDERING_FORCE);
  }

  /** Asks the device for capabilities of a type. */
  public static View capabilities(Hca hca, int type) {
    return CapabilityType.query(hca::execute, type);
  }

  private static int maskedAtomicSizes(View caps, Field sizes) {
    boolean both = (caps.getInt(AtomicCaps.ATOMIC_OPERATIONS) & MASKED_ATOMICS) == MASKED_ATOMICS;
    return both ? caps.getInt(sizes) : 0;
  }

  /** The compression attributes in the general capabilities. */
  private static CompressionAttributes compression(View caps) {
    boolean basic = caps.isSet(CmdHcaCap.CQE_COMPRESSION);
    boolean enhanced = caps.isSet(CmdHcaCap.ENHANCED_CQE_COMPRESSION);
    if (!basic && !enhanced) {
      return new CompressionAttributes(false, false, false, Set.of(), 0);
    }
    return new CompressionAttributes(
        basic,
        enhanced,
        caps.isSet(CmdHcaCap.CQE_COMPRESSION_128),
        caps.isSet(CmdHcaCap.MINI_CQE_RESP_STRIDE_INDEX)
            ? Set.of(MiniCqeFormat.HASH, MiniCqeFormat.CSUM, MiniCqeFormat.CSUM_STRIDX)
            : Set.of(MiniCqeFormat.HASH, MiniCqeFormat.CSUM),
        caps.getInt(CmdHcaCap.CQE_COMPRESSION_MAX_NUM));
  }

  /**
   * Value of atomic_mode that serves all atomics of the device.
   *
   * @param maskedAtomicSizes the attribute of queue pairs or that of DC targets
   */
  public static int atomicMode(int maskedAtomicSizes) {
    // The modes above that of InfiniBand count up with the largest size.
    return maskedAtomicSizes < ATOMIC_BYTES
        ? Qpc.ATOMIC_MODE_IB_SPEC
        : Qpc.ATOMIC_MODE_8B
            + Integer.numberOfTrailingZeros(
                Integer.highestOneBit(maskedAtomicSizes) / ATOMIC_BYTES);
  }
}
