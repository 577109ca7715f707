package dev.bluebell.cli.perf;

import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;

/** Sends by an extended reliable connection to one shared receive queue of the peer. */
final class XrcRequester extends Requester {
  private final XrcInitiator initiator;
  private final int peer;

  private XrcRequester(XrcInitiator initiator, int peer) {
    super(initiator);
    this.initiator = initiator;
    this.peer = peer;
  }

  static Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    XrcDomain domain = leftSettings.device().allocateXrcDomain();
    XrcSharedReceiveQueue left = receives(leftSettings, domain);
    XrcSharedReceiveQueue right = receives(rightSettings, domain);
    XrcTarget leftTarget = domain.target().create();
    XrcTarget rightTarget = domain.target().create();
    XrcRequester leftRequester = requester(leftSettings, rightTarget, right.number());
    XrcRequester rightRequester = requester(rightSettings, leftTarget, left.number());
    return new Connection(
        end(leftRequester, left, leftSettings, leftTarget),
        end(rightRequester, right, rightSettings, rightTarget));
  }

  private static XrcSharedReceiveQueue receives(EndSettings settings, XrcDomain domain) {
    return settings
        .domain()
        .xrcSharedReceiveQueue(domain, settings.receives())
        .requests(Math.max(1, settings.receiveRequests()))
        .create();
  }

  private static XrcRequester requester(EndSettings settings, XrcTarget peer, int receives) {
    XrcInitiator initiator =
        settings
            .domain()
            .xrcInitiator(settings.requests())
            .sendQueue(settings.sendRequests())
            .maxGather(settings.gather())
            .maxInline(settings.inline())
            .create();
    initiator.connect(peer.endpoint(), settings.options());
    peer.connect(initiator.endpoint(), settings.options());
    return new XrcRequester(initiator, receives);
  }

  private static End end(
      XrcRequester requester,
      XrcSharedReceiveQueue receives,
      EndSettings settings,
      XrcTarget target) {
    return new End(
        requester,
        new ReceiveQueue(
            receives::receive,
            receives::ringDoorbell,
            receives::exactFreeReceives,
            settings.receiveRequests()),
        target.number());
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
