package dev.bluebell.verbs;

/**
 * What a queue pair does in programs of the device.
 *
 * @param master whether its requests may wait and enable: cd_master
 * @param managedSends whether its send queue waits to be enabled: cd_slave_send
 * @param managedReceives whether its receive queue does: cd_slave_receive
 */
record CrossChannel(boolean master, boolean managedSends, boolean managedReceives) {
  /** Nothing. */
  static final CrossChannel NONE = new CrossChannel(false, false, false);
}
