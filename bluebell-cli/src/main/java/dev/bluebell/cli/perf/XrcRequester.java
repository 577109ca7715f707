package dev.bluebell.cli.perf;

import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;
import java.nio.ByteBuffer;

/** Sends by an extended reliable connection to one shared receive queue of the peer. */
final class XrcRequester extends Requester {
  private final XrcInitiator initiator;
  private final int peer;

  private XrcRequester(XrcInitiator initiator, int peer) {
    super(initiator);
    this.initiator = initiator;
    this.peer = peer;
  }

  /**
   * An end with a domain of its own. Its address: endpoints of its target and of its initiator, and
   * the number of its shared receive queue.
   */
  private record Open(
      XrcTarget target,
      XrcInitiator initiator,
      XrcSharedReceiveQueue receives,
      EndSettings settings)
      implements OpenEnd {
    private static final int BYTES = 2 * QueuePairEndpoint.BYTES + Integer.BYTES;

    @Override
    public byte[] address() {
      return ByteBuffer.allocate(BYTES)
          .put(target.endpoint().bytes())
          .put(initiator.endpoint().bytes())
          .putInt(receives.number())
          .array();
    }

    @Override
    public End connect(byte[] peer) {
      if (peer.length != BYTES) {
        throw new IllegalArgumentException(
            "the address of an end of xrc has %d bytes, not %d".formatted(BYTES, peer.length));
      }
      ByteBuffer in = ByteBuffer.wrap(peer);
      initiator.connect(endpoint(in), settings.options());
      target.connect(endpoint(in), settings.options());
      return new End(
          new XrcRequester(initiator, in.getInt()),
          new ReceiveQueue(
              receives::receive,
              receives::ringDoorbell,
              receives::exactFreeReceives,
              settings.receiveRequests()),
          target.number());
    }

    private static QueuePairEndpoint endpoint(ByteBuffer in) {
      byte[] bytes = new byte[QueuePairEndpoint.BYTES];
      in.get(bytes);
      return QueuePairEndpoint.of(bytes);
    }
  }

  static OpenEnd open(EndSettings settings) {
    XrcDomain domain = settings.device().allocateXrcDomain();
    XrcSharedReceiveQueue receives =
        settings
            .domain()
            .xrcSharedReceiveQueue(domain, settings.receives())
            .requests(Math.max(1, settings.receiveRequests()))
            .create();
    XrcInitiator initiator =
        settings
            .domain()
            .xrcInitiator(settings.requests())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .maxInline(settings.inline())
            .create();
    return new Open(domain.target().create(), initiator, receives, settings);
  }

  @Override
  MessageOperations messages() {
    return initiator.toSharedReceives(peer);
  }

  @Override
  ReliableOperations reliable() {
    return initiator.toSharedReceives(peer);
  }
}
