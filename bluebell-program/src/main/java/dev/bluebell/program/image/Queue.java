package dev.bluebell.program.image;

import org.jspecify.annotations.Nullable;

/**
 * A queue pair of a program: a reliable connection, in RTS when the program starts.
 *
 * @param name unique in its image
 * @param qpn its number
 * @param peer number of the queue pair that it is connected to, on the same device; its own number
 *     for a queue pair that is connected to itself; {@link #CLIENT} when the peer is the client's
 * @param managed true when entries are executed only as far as a SEND_EN said ({@code
 *     cd_slave_send}): nothing rings its doorbell, which would enable them, too
 * @param master true when it may execute WAIT, SEND_EN and RECV_EN ({@code cd_master})
 * @param send its send ring
 * @param receive its receive ring, which counts by its doorbell record; null when it has none
 * @param receiveRecord address of the doorbell record of the receive ring, 4 bytes big-endian; in a
 *     region when the program writes it, else 0
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
  /** Stands for the client's queue pair, of which the program knows no more. */
  public static final int CLIENT = -1;

  Queue withoutReceives() {
    return new Queue(name, qpn, peer, managed, master, send, null, 0, sendCq, receiveCq);
  }

  Queue withSends(Ring ring) {
    return new Queue(
        name, qpn, peer, managed, master, ring, receive, receiveRecord, sendCq, receiveCq);
  }

  /** True when what it sends stays on the device. */
  public boolean isLoopback() {
    return peer != CLIENT;
  }
}
