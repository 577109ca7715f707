package dev.bluebell.verbs;

/** Builder of a target of dynamic connections. Not thread-safe. */
public interface DcTargetBuilder {
  /** Sets the key that requests must carry. Default: a random number. */
  DcTargetBuilder accessKey(long key);

  /**
   * Sets the rights of initiators. Memory keys limit them further, and only remote rights count.
   * Default: all of them.
   */
  DcTargetBuilder access(Access... rights);

  /**
   * Sets the port. Default 1.
   *
   * @param number from 1
   */
  DcTargetBuilder port(int number);

  /**
   * Sets the entry of the port's GID table that is the target's address. Default: on InfiniBand 0,
   * the port's own GID; on Ethernet the IPv4 entry of RoCE v2, usually 3, or else the first entry
   * of RoCE v2.
   *
   * @param index 0 … 255
   */
  DcTargetBuilder gidIndex(int index);

  /**
   * InfiniBand: sets the low bits of the LID, which choose one of the port's 2<sup>LMC</sup> LIDs
   * as the target's address. Only the endpoint uses it: responses leave from the address to which a
   * request was sent. Default 0.
   *
   * @param bits 0 … 127, less than 2<sup>LMC</sup>, see {@link dev.bluebell.hca.HcaPort#lmc}
   */
  DcTargetBuilder pathBits(int bits);

  /**
   * Sets the index in the port's partition key table. Default 0.
   *
   * @param index 0 … 65535
   */
  DcTargetBuilder pkeyIndex(int index);

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
