package dev.bluebell.verbs.ring;

/**
 * The state of a striding receive queue, read from the driver's memory only.
 *
 * @param waiting posted entries with strides that no completion has reported
 * @param left number of those strides
 * @param unread reported strides that were not released
 * @param unrung posted entries that have not been rung
 */
public record StridingRingState(int waiting, int left, int unread, int unrung) {}
