package dev.bluebell.verbs;

/**
 * Builder of the end of a connection that only receives.
 *
 * @param <B> the builder itself
 */
public interface TargetBuilder<B extends TargetBuilder<B>> extends AddressBuilder<B> {
  /**
   * Sets the rights of the peer. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  B access(Access... rights);

  /**
   * Sets how many READs and atomics of the peer are served at a time. The device may limit it.
   * Default 16.
   *
   * @param count 1 … 128
   */
  B responderResources(int count);
}
