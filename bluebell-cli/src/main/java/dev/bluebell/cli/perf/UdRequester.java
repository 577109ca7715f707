package dev.bluebell.cli.perf;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;

/** Sends datagrams to one peer. */
final class UdRequester extends Requester {
  private final UdQueuePair queuePair;
  private final AddressHandle peer;

  private UdRequester(UdQueuePair queuePair, AddressHandle peer) {
    super(queuePair);
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
        new UdRequester(queuePair, address),
        ReceiveQueue.of(queuePair, settings),
        queuePair.number());
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

  @Override
  MessageOperations messages() {
    return queuePair.to(peer);
  }
}
