package dev.bluebell.cli.perf;

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

  static Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    SharedReceiveQueue leftReceives = leftSettings.sharedReceives();
    SharedReceiveQueue rightReceives = rightSettings.sharedReceives();
    DcTarget left = target(leftSettings, leftReceives);
    DcTarget right = target(rightSettings, rightReceives);
    return new Connection(
        new End(
            requester(leftSettings, right),
            ReceiveQueue.of(leftReceives, leftSettings),
            left.number()),
        new End(
            requester(rightSettings, left),
            ReceiveQueue.of(rightReceives, rightSettings),
            right.number()));
  }

  private static DcTarget target(EndSettings settings, SharedReceiveQueue receives) {
    return settings.domain().dcTarget(settings.receives(), receives).create();
  }

  private static DcRequester requester(EndSettings settings, DcTarget peer) {
    DcInitiator initiator =
        settings
            .domain()
            .dcInitiator(settings.requests())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .maxInline(settings.inline())
            .options(settings.options())
            .memoryCopies(settings.copies())
            .create();
    return new DcRequester(initiator, initiator.targetAddress(peer.endpoint()));
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
