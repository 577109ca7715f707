package dev.bluebell.verbs;

/** Builder of a {@link RendezvousTarget}. Not thread-safe. */
public interface RendezvousTargetBuilder extends TargetBuilder<RendezvousTargetBuilder> {
  /**
   * Creates the target and moves it to the INIT state.
   *
   * @throws IllegalStateException when the queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  RendezvousTarget create();
}
