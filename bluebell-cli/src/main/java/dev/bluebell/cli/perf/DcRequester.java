package dev.bluebell.cli.perf;

import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.SharedReceiveQueue;

/** Sends by a dynamic connection: an initiator of its own to one target. */
final class DcRequester extends Requester {
  private final DcInitiator initiator;
  private final DcTargetAddress peer;

  private DcRequester(DcInitiator initiator, DcTargetAddress peer) {
    super(initiator);
    this.initiator = initiator;
    this.peer = peer;
  }

  /** An end with a target of its own. */
  private record Open(DcTarget target, SharedReceiveQueue receives, EndSettings settings)
      implements OpenEnd {
    @Override
    public byte[] address() {
      return target.endpoint().bytes();
    }

    @Override
    public End connect(byte[] peer) {
      DcInitiator initiator = initiator(settings);
      return new End(
          new DcRequester(initiator, initiator.targetAddress(DcEndpoint.of(peer))),
          ReceiveQueue.of(receives, settings),
          target.number());
    }
  }

  static OpenEnd open(EndSettings settings) {
    SharedReceiveQueue receives = settings.sharedReceives();
    DcTarget target = settings.domain().dcTarget(settings.receives(), receives).create();
    return new Open(target, receives, settings);
  }

  private static DcInitiator initiator(EndSettings settings) {
    return settings
        .domain()
        .dcInitiator(settings.requests())
        .sendQueue(settings.sendRequests())
        .maxGather(settings.gather())
        .maxInline(settings.inline())
        .options(settings.options())
        .memoryCopies(settings.copies())
        .create();
  }

  @Override
  RequestModifiers copy(long from, int fromKey, long to, int toKey, int length) {
    return initiator.copyMemory(from, fromKey, to, toKey, length);
  }

  @Override
  MessageOperations messages() {
    return initiator.target(peer);
  }

  @Override
  ReliableOperations reliable() {
    return initiator.target(peer);
  }
}
