package dev.bluebell.cli.demo;

import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;

/**
 * Two datagram queue pairs; the right one has posted a receive.
 *
 * @param left memory and completions of the sender
 * @param right memory and completions of the receiver
 */
record Datagrams(Place left, UdQueuePair from, Place right, UdQueuePair to) {
  /** Creates both, with a receive of {@code receiveBytes} bytes. */
  static Datagrams of(Scene scene, int receiveBytes) {
    Place left = scene.stage().place();
    Place right = scene.stage().place();
    UdQueuePair from = scene.stage().domain().udQueuePair(left.completions()).create();
    UdQueuePair to = scene.stage().domain().udQueuePair(right.completions()).create();
    to.receive().scatter(right.region(), 0, receiveBytes).post(0);
    to.ringReceiveDoorbell();
    return new Datagrams(left, from, right, to);
  }

  /** Posts a SEND of the first bytes of the left memory to an endpoint, without a doorbell. */
  void post(UdEndpoint peer, int bytes) {
    from.to(from.addressHandle(peer)).send().gather(left.region(), 0, bytes).signaled(0);
  }

  /** Sends the first bytes of the left memory to the right queue pair. */
  void send(int bytes) {
    post(to.endpoint(), bytes);
    from.ringDoorbell();
    left.await();
  }
}
