package dev.bluebell.softnic.queue;

/**
 * How a device treats work queue entries where cards differ, or where it is not known.
 *
 * @param checksWqes false to execute send WQEs whatever index and QPN their control segments have
 * @param fencesEnables true when SEND_EN and RECV_EN wait for what their fence bits name
 */
public record Machine(boolean checksWqes, boolean fencesEnables) {
  /** Checks WQEs, and has no fence hold an enable. */
  public static final Machine DEFAULT = new Machine(true, false);
}
