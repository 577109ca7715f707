package dev.bluebell.conformance;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;
import java.util.function.UnaryOperator;

/** A datagram queue pair with memory of its own. */
final class DatagramEnd extends Setup {
  private static final int ROOM = 8192;

  final UdQueuePair queuePair;

  /** Received datagrams, followed by datagrams to send. */
  final Buffer buffer;

  DatagramEnd(Bench bench) {
    this(bench, plan -> plan);
  }

  DatagramEnd(Bench bench, UnaryOperator<UdQueuePairBuilder> plan) {
    super(bench);
    buffer = buffer(2 * ROOM);
    queuePair =
        plan.apply(domain.udQueuePair(sends).receiveCompletions(receives).maxInline(64)).create();
  }

  void receive(long id) {
    receive(ROOM, id);
  }

  /** Posts a receive request for {@code bytes} bytes, header included, and rings for it. */
  void receive(int bytes, long id) {
    queuePair.receive().scatter(buffer.region(), 0, bytes).post(id);
    queuePair.ringReceiveDoorbell();
  }

  void send(DatagramEnd to, byte[] message, long id) {
    send(queuePair.addressHandle(to.queuePair.endpoint()), message, id);
  }

  void send(AddressHandle to, byte[] message, long id) {
    buffer.put(ROOM, message);
    queuePair.to(to).send().gather(buffer.region(), ROOM, message.length).signaled(id);
    queuePair.ringDoorbell();
  }

  /** Repeats the message until it arrives. */
  Done deliver(DatagramEnd to, byte[] message, long id) {
    return bench.awaitDelivery(
        to.receives,
        () -> {
          send(to, message, id);
          awaitSend().requireSuccess(id);
        });
  }

  /** The received bytes after the header. */
  byte[] message(int bytes) {
    return buffer.bytes(UdQueuePair.HEADER_BYTES, bytes);
  }
}
