package dev.bluebell.verbs;

/** Builder of a target of extended reliable connections. Not thread-safe. */
public interface XrcTargetBuilder extends TargetBuilder<XrcTargetBuilder> {
  /**
   * Creates the target and moves it to the INIT state.
   *
   * @throws IllegalStateException when the domain is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  XrcTarget create();
}
