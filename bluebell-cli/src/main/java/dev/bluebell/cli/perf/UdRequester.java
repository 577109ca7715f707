package dev.bluebell.cli.perf;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;

/** Sends datagrams to one peer. */
final class UdRequester extends Requester {
  private final UdQueuePair queuePair;
  private final AddressHandle peer;

  private UdRequester(UdQueuePair queuePair, AddressHandle peer) {
    this.queuePair = queuePair;
    this.peer = peer;
  }

  static Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    UdQueuePair left = create(leftSettings);
    UdQueuePair right = create(rightSettings);
    return new Connection(end(left, right, leftSettings), end(right, left, rightSettings));
  }

  private static End end(UdQueuePair queuePair, UdQueuePair peer, EndSettings settings) {
    AddressHandle address = queuePair.addressHandle(peer.endpoint());
    return new End(
        new UdRequester(queuePair, address), receives(queuePair, settings), queuePair.number());
  }

  private static UdQueuePair create(EndSettings settings) {
    UdQueuePairBuilder builder =
        settings
            .domain()
            .udQueuePair(settings.requests())
            .receiveCompletions(settings.receives())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .receiveQueue(settings.receiveRequests())
            .maxInline(settings.inline());
    return (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create();
  }

  private static ReceiveQueue receives(UdQueuePair queuePair, EndSettings settings) {
    return settings.shared() == null
        ? new ReceiveQueue(
            queuePair::receive,
            queuePair::ringReceiveDoorbell,
            queuePair::freeReceives,
            queuePair.receiveQueueRequests())
        : ReceiveQueue.of(settings.shared(), settings);
  }

  @Override
  MessageOperations messages() {
    return queuePair.to(peer);
  }

  @Override
  RequestModifiers nop() {
    return queuePair.nop();
  }

  @Override
  void ringDoorbell() {
    queuePair.ringDoorbell();
  }
}
