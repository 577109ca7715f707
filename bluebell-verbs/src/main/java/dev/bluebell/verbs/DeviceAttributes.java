package dev.bluebell.verbs;

/**
 * Limits of a device, from its HCA capabilities. Mirrors {@code mlx5_ifc.h: cmd_hca_cap} as far as
 * the driver uses it.
 *
 * @param ports number of ports, numbered from 1
 * @param maxQueuePairs maximum number of queue pairs
 * @param maxSendWqebbs largest send queue in WQEBBs
 * @param maxReceiveRequests largest receive queue in requests
 * @param maxSharedReceives largest shared receive queue in entries, including a spare one
 * @param maxTags largest tag list of a tag-matching queue in entries, including a spare one; 0 on a
 *     device without tag matching
 * @param maxSendWqeBytes largest send request in bytes
 * @param maxReceiveWqeBytes largest receive request in bytes
 * @param maxCompletionQueues maximum number of completion queues
 * @param maxCompletionEntries largest completion queue in entries
 * @param maxMemoryKeys maximum number of memory keys
 * @param maxProtectionDomains maximum number of protection domains
 * @param maxMessageBytes longest message in bytes
 * @param maxReads maximum number of outstanding READs and atomics of a queue pair
 * @param maxDcReads maximum number of outstanding READs and atomics of a DC initiator
 * @param maxResponderResources maximum number of READs and atomics that a queue pair serves at a
 *     time
 * @param maskedAtomicSizes operand sizes of masked atomics in bytes, ORed: 4, 8 and 16; 0 for no
 *     masked atomics
 * @param dcMaskedAtomicSizes the sizes that DC targets serve, likewise
 * @param clockKilohertz frequency of {@link Device#clock()} in kHz
 * @param realTime whether the clock of completions is set to the time of day and offers nothing
 *     else, see {@link Completion#timestamp()}
 * @param blueFlame whether send requests may be copied into the doorbell register
 * @param relaxedWrites whether writes through keys with {@link Access#RELAXED_ORDERING} may become
 *     visible in any order
 * @param relaxedReads whether such keys relax the order of reads as well
 * @param outOfOrderPlacement whether reliable connections may place data out of order, see {@link
 *     RcQueuePairBuilder#outOfOrderPlacement}
 * @param signatures whether requests may carry signatures
 * @param rendezvous whether the device itself fetches the payload that tagged messages offer, see
 *     {@link RendezvousTarget}
 * @param crossChannel whether queue pairs may wait for and enable each other's requests, see {@link
 *     RcQueuePairBuilder#crossChannel}
 * @param stridingReceives whether there are {@linkplain StridingReceiveQueue striding receive
 *     queues}
 * @param minStrides minimum number of strides of their entries
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
    int maxDcReads,
    int maxResponderResources,
    int maskedAtomicSizes,
    int dcMaskedAtomicSizes,
    long clockKilohertz,
    boolean realTime,
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
