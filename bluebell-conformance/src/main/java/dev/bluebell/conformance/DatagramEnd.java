package dev.bluebell.conformance;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;
import java.util.function.UnaryOperator;

/** A queue pair of datagrams with a domain, memory and completion queues of its own. */
record DatagramEnd(
    Bench bench,
    Buffer buffer,
    CompletionQueue sends,
    CompletionQueue receives,
    UdQueuePair queuePair) {
  private static final int ROOM = 8192;

  static DatagramEnd of(Bench bench) {
    return of(bench, plan -> plan);
  }

  static DatagramEnd of(Bench bench, UnaryOperator<UdQueuePairBuilder> plan) {
    ProtectionDomain domain = bench.domain();
    CompletionQueue sends = bench.device().createCompletionQueue(64);
    CompletionQueue receives = bench.device().createCompletionQueue(64);
    return new DatagramEnd(
        bench,
        new Buffer(domain.allocate(2 * ROOM, Access.rights())),
        sends,
        receives,
        plan.apply(domain.udQueuePair(sends).receiveCompletions(receives).maxInline(64)).create());
  }

  void receive(long id) {
    receive(ROOM, id);
  }

  /** Posts a receive request for so many bytes, header included, and rings for it. */
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

  Done awaitSend() {
    return bench.await(sends, 1).getFirst();
  }

  Done awaitReceive() {
    return bench.await(receives, 1).getFirst();
  }

  /** Sends until the message arrives. */
  Done deliver(DatagramEnd to, byte[] message, long id) {
    return bench.awaitDelivery(
        to.receives,
        () -> {
          send(to, message, id);
          awaitSend().requireSuccess(id);
        });
  }

  /** What was received, behind its header. */
  byte[] message(int bytes) {
    return buffer.bytes(UdQueuePair.HEADER_BYTES, bytes);
  }
}
