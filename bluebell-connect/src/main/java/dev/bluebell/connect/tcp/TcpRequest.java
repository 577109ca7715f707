package dev.bluebell.connect.tcp;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.connect.shared.NewQueuePair;
import dev.bluebell.connect.shared.PendingRequest;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.util.function.Supplier;

/** A client's request for a connection over TCP. */
final class TcpRequest extends PendingRequest {
  private static final String FAILED =
      "it failed to accept the request; the exception that accept threw there says why";

  private final Wire wire;
  private final Message.Greeting greeting;
  private final TcpOptions options;

  /**
   * @param answered called once, when it is accepted or rejected
   */
  TcpRequest(Wire wire, Message.Greeting greeting, TcpOptions options, Runnable answered) {
    super(wire.peer(), greeting.offer(), answered);
    this.wire = wire;
    this.greeting = greeting;
    this.options = options;
  }

  @Override
  public RdmaConnection accept(
      Supplier<RcQueuePair> maker, Offer offer, ConnectOptions connectOptions)
      throws ConnectionException {
    answer();
    RcQueuePair queuePair = null;
    try {
      queuePair = NewQueuePair.of(maker.get());
      connect(queuePair, connectOptions);
      wire.write(
          Message.of(MessageType.ACCEPT, Message.endpoint(queuePair, connectOptions), offer));
      Message message = wire.read(options.deadline());
      if (message.type() != MessageType.READY) {
        throw new IOException("it answered with " + message.type());
      }
      return TcpConnection.watched(wire, queuePair, greeting.offer(), options.keepalive());
    } catch (IOException | RuntimeException | Error e) {
      // Other local failures are not revealed to an untrusted peer.
      boolean isOfPeer = e instanceof HcaException || e instanceof ConnectionException;
      String reason = isOfPeer ? String.valueOf(e.getMessage()) : FAILED;
      wire.tryWrite(Message.sentence(reason));
      wire.close();
      if (queuePair != null) {
        queuePair.close();
      }
      throw failure(e);
    }
  }

  /** Drops the request if its client has given it up; false when the client still waits. */
  boolean dropIfGivenUp() {
    if (!wire.isEndedByPeer()) {
      return false;
    }
    answer();
    wire.close();
    return true;
  }

  private void connect(RcQueuePair queuePair, ConnectOptions connectOptions)
      throws ConnectionException {
    try {
      queuePair.connect(greeting.endpoint(), greeting.agreed(connectOptions, queuePair));
    } catch (IllegalArgumentException e) {
      // The peer's endpoint has another link layer.
      throw new ConnectionException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  protected void sendRejection(byte[] privateData) {
    wire.tryWrite(new Message(MessageType.REJECT, privateData.clone()));
    wire.close();
  }
}
