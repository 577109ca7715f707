package dev.bluebell.verbs.ring;

/**
 * The state of a receive queue, read from the driver's memory only.
 *
 * @param pending posted requests whose completions have not been polled
 * @param unrung those of them that the doorbell record does not count; 0 for a managed queue
 * @param producer index behind the last request, 16 bits
 * @param rung the counter in the doorbell record, 16 bits
 * @param isHalfBuilt whether a request is unfinished
 * @param isKept whether its requests are kept, so that none counts as outstanding
 */
public record ReceiveRingState(
    int pending, int unrung, int producer, int rung, boolean isHalfBuilt, boolean isKept) {}
