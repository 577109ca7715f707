package dev.bluebell.cli.perf;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.ConnectedReceivingQueuePair;
import dev.bluebell.verbs.CopyOperations;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.WriteOperations;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;
import java.nio.ByteBuffer;

/** Opens ends, for each kind of connection. */
final class Ends {
  /**
   * Length of an address: the endpoints of target and initiator, and the shared receive queue's
   * number.
   */
  private static final int XRC_ADDRESS_BYTES = 2 * QueuePairEndpoint.BYTES + Integer.BYTES;

  private Ends() {}

  /** An end of a reliable connection. */
  static OpenEnd rc(EndSettings settings) {
    RcQueuePairBuilder builder =
        settings
            .queues(settings.domain().rcQueuePair(settings.requests()))
            .memoryCopies(settings.operation() == PerfOperation.COPY);
    RcQueuePair queuePair =
        (settings.tags() == null ? builder : builder.receiveFrom(settings.tags())).create();
    Requester requester =
        new Requester(queuePair) {
          @Override
          MessageOperations messages() {
            return queuePair;
          }

          @Override
          ReliableOperations reliable() {
            return queuePair;
          }

          @Override
          CopyOperations<RequestModifiers> copies() {
            return queuePair;
          }

          @Override
          KeyOperations keys() {
            return queuePair;
          }
        };
    return connected(queuePair, requester, settings);
  }

  /** An end of an unreliable connection. */
  static OpenEnd uc(EndSettings settings) {
    UcQueuePair queuePair =
        settings.queues(settings.domain().ucQueuePair(settings.requests())).create();
    Requester requester =
        new Requester(queuePair) {
          @Override
          MessageOperations messages() {
            return queuePair;
          }

          @Override
          WriteOperations writes() {
            return queuePair;
          }

          @Override
          KeyOperations keys() {
            return queuePair;
          }
        };
    return connected(queuePair, requester, settings);
  }

  private static OpenEnd connected(
      ConnectedReceivingQueuePair queuePair, Requester requester, EndSettings settings) {
    return new OpenEnd(
        queuePair.endpoint().bytes(),
        peer -> {
          queuePair.connect(QueuePairEndpoint.of(peer), settings.options());
          return new End(requester, ReceiveQueue.of(queuePair, settings), queuePair.number());
        });
  }

  /** An end that sends datagrams to one peer. */
  static OpenEnd ud(EndSettings settings) {
    UdQueuePair queuePair =
        settings.queues(settings.domain().udQueuePair(settings.requests())).create();
    return new OpenEnd(
        queuePair.endpoint().bytes(),
        peer -> {
          AddressHandle handle = queuePair.addressHandle(UdEndpoint.of(peer));
          Requester requester =
              new Requester(queuePair) {
                @Override
                MessageOperations messages() {
                  return queuePair.to(handle);
                }
              };
          return new End(requester, ReceiveQueue.of(queuePair, settings), queuePair.number());
        });
  }

  /** An end of a dynamic connection: an initiator and a target, both its own. */
  static OpenEnd dc(EndSettings settings) {
    ProtectionDomain domain = settings.domain();
    SharedReceiveQueue receives = settings.sharedReceives();
    DcTarget target = domain.dcTarget(settings.receives(), receives).create();
    return new OpenEnd(
        target.endpoint().bytes(),
        peer -> {
          DcInitiator initiator =
              settings
                  .sendQueue(domain.dcInitiator(settings.requests()))
                  .options(settings.options())
                  .memoryCopies(settings.operation() == PerfOperation.COPY)
                  .create();
          DcTargetAddress address = initiator.targetAddress(DcEndpoint.of(peer));
          Requester requester =
              new Requester(initiator) {
                @Override
                MessageOperations messages() {
                  return initiator.target(address);
                }

                @Override
                ReliableOperations reliable() {
                  return initiator.target(address);
                }

                @Override
                CopyOperations<RequestModifiers> copies() {
                  return initiator;
                }
              };
          return new End(requester, ReceiveQueue.of(receives, settings), target.number());
        });
  }

  /**
   * An end of an extended reliable connection, with its own domain. It sends to one shared receive
   * queue of the peer.
   */
  static OpenEnd xrc(EndSettings settings) {
    XrcDomain domain = settings.device().allocateXrcDomain();
    XrcSharedReceiveQueue receives =
        settings
            .domain()
            .xrcSharedReceiveQueue(domain, settings.receives())
            .requests(Math.max(1, settings.receiveRequests()))
            .create();
    XrcInitiator initiator =
        settings.sendQueue(settings.domain().xrcInitiator(settings.requests())).create();
    XrcTarget target = domain.target().create();
    byte[] own =
        ByteBuffer.allocate(XRC_ADDRESS_BYTES)
            .put(target.endpoint().bytes())
            .put(initiator.endpoint().bytes())
            .putInt(receives.number())
            .array();
    return new OpenEnd(
        own,
        peer -> {
          if (peer.length != XRC_ADDRESS_BYTES) {
            throw new IllegalArgumentException(
                "the address of an end of xrc has %d bytes, not %d"
                    .formatted(XRC_ADDRESS_BYTES, peer.length));
          }
          ByteBuffer in = ByteBuffer.wrap(peer);
          initiator.connect(endpoint(in), settings.options());
          target.connect(endpoint(in), settings.options());
          int number = in.getInt();
          Requester requester =
              new Requester(initiator) {
                @Override
                MessageOperations messages() {
                  return initiator.toSharedReceives(number);
                }

                @Override
                ReliableOperations reliable() {
                  return initiator.toSharedReceives(number);
                }
              };
          return new End(requester, ReceiveQueue.of(receives, settings), target.number());
        });
  }

  private static QueuePairEndpoint endpoint(ByteBuffer in) {
    byte[] bytes = new byte[QueuePairEndpoint.BYTES];
    in.get(bytes);
    return QueuePairEndpoint.of(bytes);
  }
}
