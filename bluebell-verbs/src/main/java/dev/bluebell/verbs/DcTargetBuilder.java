package dev.bluebell.verbs;

/** Builder of a target of dynamic connections. Not thread-safe. */
public interface DcTargetBuilder extends AddressBuilder<DcTargetBuilder> {
  /** Sets the key that requests must carry. Default: a random number. */
  DcTargetBuilder accessKey(long key);

  /**
   * Sets the rights of initiators. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  DcTargetBuilder access(Access... rights);

  /**
   * Sets how long initiators wait when the shared receive queue is empty.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   */
  DcTargetBuilder minRnrTimer(int code);

  /**
   * Creates the target.
   *
   * @throws IllegalArgumentException when the objects belong to different devices
   * @throws IllegalStateException when one of them is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  DcTarget create();
}
