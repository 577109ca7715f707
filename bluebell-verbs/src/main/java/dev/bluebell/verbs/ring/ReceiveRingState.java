package dev.bluebell.verbs.ring;

/**
 * How far a receive queue is, by the memory of the driver alone.
 *
 * @param pending requests that were posted and have not completed, as far as polls told
 * @param unrung those of them that the doorbell record does not count; 0 for a managed queue
 * @param producer index behind the last request, 16 bits
 * @param rung the counter in the doorbell record, 16 bits
 * @param isHalfBuilt whether a request was begun and not ended
 * @param isKept whether its requests stay for good, so that none is outstanding
 */
public record ReceiveRingState(
    int pending, int unrung, int producer, int rung, boolean isHalfBuilt, boolean isKept) {}
