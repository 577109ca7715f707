package dev.bluebell.verbs.ring;

/**
 * How far a receive queue with strides is, by the memory of the driver alone.
 *
 * @param waiting entries that were posted and have strides of which no completion told
 * @param left those strides
 * @param unread strides of which completions told and which were not released
 * @param unrung entries that the doorbell record does not count
 */
public record StridingRingState(int waiting, int left, int unread, int unrung) {}
