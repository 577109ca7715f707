package dev.bluebell.verifier;

/**
 * What a device happens to do, beyond what a program may rely on: another one does otherwise. They
 * tell why a program that lacks an order fails on none of its runs.
 *
 * @param window WQEBBs of a queue that are fetched and not complete at most; 0 when nobody knows
 * @param fetches READs and atomics of a queue that are begun and not complete at most; 0 when
 *     nobody knows
 * @param landsInOrder true when what a READ or atomic fetched becomes visible behind all that was
 *     before it in its queue
 */
public record Habits(int window, int fetches, boolean landsInOrder) {
  /** Nothing is known. */
  public static final Habits UNKNOWN = new Habits(0, 0, false);
}
