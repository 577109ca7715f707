package dev.bluebell.verbs.ring;

/**
 * How far a receive queue is, by the memory of the driver alone.
 *
 * @param pending requests that were posted and have not completed, as far as polls told
 * @param unrung those of them that the doorbell record does not count
 * @param rung the counter in the doorbell record, 16 bits
 * @param isHalfBuilt whether a request was begun and not ended
 */
public record ReceiveRingState(int pending, int unrung, int rung, boolean isHalfBuilt) {}
