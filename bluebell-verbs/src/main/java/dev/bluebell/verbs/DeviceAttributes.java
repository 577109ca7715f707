package dev.bluebell.verbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;

/**
 * Limits of a device, from its HCA capabilities. Mirrors {@code mlx5_ifc.h: cmd_hca_cap} as far as
 * the driver goes by it.
 *
 * @param ports number of ports, numbered from 1
 * @param maxQueuePairs most queue pairs at a time
 * @param maxSendWqebbs largest send queue in WQEBBs
 * @param maxReceiveRequests largest receive queue in requests
 * @param maxSharedReceives largest shared receive queue in entries, one of which is spare
 * @param maxTags largest list of tags of a tag-matching queue in entries, one of which is spare; 0
 *     on a device without tag matching
 * @param maxSendWqeBytes largest send request in bytes
 * @param maxReceiveWqeBytes largest receive request in bytes
 * @param maxCompletionQueues most completion queues at a time
 * @param maxCompletionEntries largest completion queue in entries
 * @param maxMemoryKeys most memory keys at a time
 * @param maxProtectionDomains most protection domains at a time
 * @param maxMessageBytes longest message in bytes
 * @param maxReads most READs and atomics that a queue pair can have outstanding as requester
 * @param maxResponderResources most READs and atomics that a queue pair can serve at a time
 * @param maskedAtomicSizes operand sizes of masked atomics, in bytes, or-ed: 4, 8 and 16; 0 without
 *     any
 * @param clockKilohertz frequency of {@link Device#clock()} in kHz
 * @param blueFlame whether send requests may be copied into the doorbell register
 * @param relaxedWrites whether what is written by keys with {@link Access#RELAXED_ORDERING} may
 *     become visible in any order
 * @param relaxedReads whether such keys relax the order of reads, too
 * @param outOfOrderPlacement whether reliable connections may place data out of order, see {@link
 *     RcQueuePairBuilder#outOfOrderPlacement}
 * @param signatures whether requests may carry signatures
 * @param rendezvous whether the device itself reads the payload that messages with tags offer, see
 *     {@link RendezvousTarget}
 * @param crossChannel whether queue pairs may wait for, and enable, each other's requests, see
 *     {@link RcQueuePairBuilder#crossChannel}
 * @param stridingReceives whether there are {@linkplain StridingReceiveQueue receive queues with
 *     strides}
 * @param minStrides fewest strides that an entry of those has
 * @param compression how completions are compressed
 */
public record DeviceAttributes(
    int ports,
    int maxQueuePairs,
    int maxSendWqebbs,
    int maxReceiveRequests,
    int maxSharedReceives,
    int maxTags,
    int maxSendWqeBytes,
    int maxReceiveWqeBytes,
    int maxCompletionQueues,
    int maxCompletionEntries,
    int maxMemoryKeys,
    int maxProtectionDomains,
    long maxMessageBytes,
    int maxReads,
    int maxResponderResources,
    int maskedAtomicSizes,
    long clockKilohertz,
    boolean blueFlame,
    boolean relaxedWrites,
    boolean relaxedReads,
    boolean outOfOrderPlacement,
    boolean signatures,
    boolean rendezvous,
    boolean crossChannel,
    boolean stridingReceives,
    int minStrides,
    CompressionAttributes compression) {
  private static final int CQE_VERSION = 1;
  private static final int MAX_LOG_QUEUE = 15;

  /** atomic_operations: both masked ones, {@code device.h: MLX5_ATOMIC_OPS_EXTENDED_*} of Linux. */
  private static final int MASKED_ATOMICS = 0xc;

  private static final int ATOMIC_BYTES = 8;

  /** atomic_mode: 8 bytes and none masked, {@code device.h: MLX5_ATOMIC_MODE_IB_COMP}. */
  private static final int ATOMIC_MODE_IB = 1;

  /** atomic_mode: up to 8 bytes, {@code device.h: MLX5_ATOMIC_MODE_8B}. */
  private static final int ATOMIC_MODE_8_BYTES = 3;

  /** Without ext_stride_num_range, {@code mlx5.h: MLX5_MIN_SINGLE_WQE_LOG_NUM_STRIDES}. */
  private static final int MIN_STRIDES = 1 << 9;

  /** {@code mlx5.h: MLX5_EXT_MIN_SINGLE_WQE_LOG_NUM_STRIDES} of Linux. */
  private static final int MIN_STRIDES_EXTENDED = 1 << 3;

  /** Asks the device. */
  static DeviceAttributes query(Hca hca) {
    View caps = capabilities(hca, CapabilityType.GENERAL);
    if (caps.getInt(CmdHcaCap.CQE_VERSION) != CQE_VERSION) {
      throw new IllegalStateException(
          "device %s writes completions of version %d, and the driver reads version %d only"
              .formatted(hca.name(), caps.getInt(CmdHcaCap.CQE_VERSION), CQE_VERSION));
    }
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
        1 << caps.getInt(CmdHcaCap.LOG_MAX_RA_RES_QP),
        maskedAtomicSizes(capabilities(hca, CapabilityType.ATOMIC)),
        caps.get(CmdHcaCap.DEVICE_FREQUENCY_KHZ),
        caps.isSet(CmdHcaCap.BF),
        caps.isSet(CmdHcaCap.RELAXED_ORDERING_WRITE),
        caps.isSet(CmdHcaCap.RELAXED_ORDERING_READ),
        placesOutOfOrder(hca, caps),
        caps.isSet(CmdHcaCap.WQ_SIGNATURE),
        caps.isSet(CmdHcaCap.RNDV_OFFLOAD_RC),
        caps.isSet(CmdHcaCap.CD),
        caps.isSet(CmdHcaCap.IB_STRIDING_WQ),
        caps.isSet(CmdHcaCap.EXT_STRIDE_NUM_RANGE) ? MIN_STRIDES_EXTENDED : MIN_STRIDES,
        CompressionAttributes.of(caps));
  }

  /** Without force, the network decides whether it happens, and the driver could not tell. */
  private static boolean placesOutOfOrder(Hca hca, View caps) {
    return caps.isSet(CmdHcaCap.DP_ORDERING_OOO_ALL_RC)
        && caps.isSet(CmdHcaCap.HCA_CAP_2)
        && capabilities(hca, CapabilityType.GENERAL_2).isSet(CmdHcaCap2.DP_ORDERING_FORCE);
  }

  /** Asks the device for capabilities of a type. */
  static View capabilities(Hca hca, int type) {
    byte[] command =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, CapabilityType.current(type))
            .bytes();
    View out = View.over(hca.execute(command));
    return View.over(out.getBytes(QueryHcaCapOut.CAPABILITY));
  }

  private static int maskedAtomicSizes(View caps) {
    boolean both = (caps.getInt(AtomicCaps.ATOMIC_OPERATIONS) & MASKED_ATOMICS) == MASKED_ATOMICS;
    return both ? caps.getInt(AtomicCaps.ATOMIC_SIZE_QP) : 0;
  }

  /** Value of atomic_mode with which queue pairs serve all atomics of the device. */
  int atomicMode() {
    // The modes above that of InfiniBand count up with the largest size.
    return maskedAtomicSizes < ATOMIC_BYTES
        ? ATOMIC_MODE_IB
        : ATOMIC_MODE_8_BYTES
            + Integer.numberOfTrailingZeros(
                Integer.highestOneBit(maskedAtomicSizes) / ATOMIC_BYTES);
  }
}
