package dev.bluebell.verbs.command;

/**
 * The role of a queue pair in NIC programs.
 *
 * @param master whether its requests may wait and enable: cd_master
 * @param managedSends whether its send queue waits to be enabled: cd_slave_send
 * @param managedReceives whether its receive queue waits to be enabled: cd_slave_receive
 */
public record CrossChannel(boolean master, boolean managedSends, boolean managedReceives) {
  /** No role in NIC programs. */
  public static final CrossChannel NONE = new CrossChannel(false, false, false);
}
