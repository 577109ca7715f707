package dev.bluebell.verifier;

/**
 * Known behaviour of a device that the rules do not guarantee, and that other devices may not have.
 * It explains why a program without a necessary barrier never fails on this device.
 *
 * @param window maximum number of WQEBBs of a queue that are fetched and not complete; 0 when
 *     unknown
 * @param fetches maximum number of READs and atomics of a queue that have begun and are not
 *     complete; 0 when unknown
 * @param landsInOrder true when the response of a READ or atomic becomes visible after the effects
 *     of all earlier requests of its queue
 */
public record Habits(int window, int fetches, boolean landsInOrder) {
  /** No known habits. */
  public static final Habits UNKNOWN = new Habits(0, 0, false);
}
