package dev.bluebell.verbs;

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
    CompressionAttributes compression) {}
