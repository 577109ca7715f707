package dev.bluebell.verbs.ring;

/**
 * The state of a send queue, read from the driver's memory only.
 *
 * @param pending posted requests whose completions have not been polled
 * @param unrung those of them that have not been rung; 0 for a managed queue
 * @param isSignaled whether one of the rung ones is signalled
 * @param producer WQEBB index behind the last request, 16 bits
 * @param rung WQEBB index that the doorbell record has, 16 bits
 * @param isHalfBuilt whether a request is unfinished
 * @param isKept whether its requests are kept, so that none counts as outstanding
 */
public record SendRingState(
    int pending,
    int unrung,
    boolean isSignaled,
    int producer,
    int rung,
    boolean isHalfBuilt,
    boolean isKept) {}
