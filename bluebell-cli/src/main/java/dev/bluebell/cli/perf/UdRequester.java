package dev.bluebell.cli.perf;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.UdEndpoint;
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

  /** An end with a queue pair of its own. */
  private record Open(UdQueuePair queuePair, EndSettings settings) implements OpenEnd {
    @Override
    public byte[] address() {
      return queuePair.endpoint().bytes();
    }

    @Override
    public End connect(byte[] peer) {
      return new End(
          new UdRequester(queuePair, queuePair.addressHandle(UdEndpoint.of(peer))),
          ReceiveQueue.of(queuePair, settings),
          queuePair.number());
    }
  }

  static OpenEnd open(EndSettings settings) {
    UdQueuePairBuilder builder =
        settings
            .domain()
            .udQueuePair(settings.requests())
            .receiveCompletions(settings.receives())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .receiveQueue(settings.receiveRequests())
            .maxInline(settings.inline());
    return new Open(
        (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create(),
        settings);
  }

  @Override
  MessageOperations messages() {
    return queuePair.to(peer);
  }
}
