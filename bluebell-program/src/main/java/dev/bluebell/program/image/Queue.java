package dev.bluebell.program.image;

import org.jspecify.annotations.Nullable;

/**
 * A queue pair of a program: a reliable connection, in RTS when the program starts.
 *
 * @param name unique in its image
 * @param qpn its number
 * @param peer number of the queue pair on the same device that it is connected to, possibly itself;
 *     {@link #CLIENT} when the peer is the client's
 * @param managed true when only entries that a SEND_EN enabled are executed ({@code
 *     cd_slave_send}): nothing rings its doorbell, which would enable them as well
 * @param master true when it may execute WAIT, SEND_EN and RECV_EN ({@code cd_master})
 * @param send its send ring
 * @param receive its receive ring, which counts by its doorbell record; null when it has none
 * @param receiveRecord address of the doorbell record of the receive ring, 4 bytes big-endian; in a
 *     region if the program writes it, otherwise 0
 * @param sendCq number of the completion queue of its send ring
 * @param receiveCq number of the completion queue of its receive ring
 */
public record Queue(
    String name,
    int qpn,
    int peer,
    boolean managed,
    boolean master,
    Ring send,
    @Nullable Ring receive,
    long receiveRecord,
    int sendCq,
    int receiveCq) {
  /** Represents the client's queue pair, which the program does not know. */
  public static final int CLIENT = -1;

  Queue withoutReceives() {
    return new Queue(name, qpn, peer, managed, master, send, null, 0, sendCq, receiveCq);
  }

  /** True when its peer is on the same device. */
  public boolean isLoopback() {
    return peer != CLIENT;
  }
}
