package dev.bluebell.verbs.ring;

/**
 * How far a send queue is, by the memory of the driver alone.
 *
 * @param pending requests that were posted and have not completed, as far as polls told
 * @param unrung those of them that no doorbell has told of; 0 for a managed queue
 * @param isSignaled whether one of those that were rung asks for a completion
 * @param producer WQEBB index behind the last request, 16 bits
 * @param rung WQEBB index that the doorbell record has, 16 bits
 * @param isHalfBuilt whether a request was begun and not ended
 * @param isKept whether its requests stay for good, so that none is outstanding
 */
public record SendRingState(
    int pending,
    int unrung,
    boolean isSignaled,
    int producer,
    int rung,
    boolean isHalfBuilt,
    boolean isKept) {}
