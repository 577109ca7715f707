package dev.bluebell.connect.tcp;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** A client's request for a connection over TCP. */
final class TcpRequest implements ConnectionRequest {
  private final Wire wire;
  private final Message.Greeting greeting;
  private final TcpOptions options;
  private final Runnable answered;
  private boolean over;

  /**
   * @param answered called once, when it is accepted or rejected
   */
  TcpRequest(Wire wire, Message.Greeting greeting, TcpOptions options, Runnable answered) {
    this.wire = wire;
    this.greeting = greeting;
    this.options = options;
    this.answered = answered;
  }

  @Override
  public InetSocketAddress from() {
    return wire.peer();
  }

  @Override
  public Offer offer() {
    return greeting.offer();
  }

  private void answer() {
    if (over) {
      throw new IllegalStateException(
          "the request of %s was already answered".formatted(wire.peer()));
    }
    over = true;
    answered.run();
  }

  @Override
  public RdmaConnection accept(
      Supplier<RcQueuePair> maker, Offer offer, ConnectOptions connectOptions)
      throws ConnectionException {
    answer();
    RcQueuePair queuePair = null;
    try {
      queuePair = maker.get();
      connect(queuePair, connectOptions);
      wire.write(Message.of(MessageType.ACCEPT, queuePair.endpoint(), offer));
      Message message = wire.read(options.deadline());
      if (message.type() != MessageType.READY) {
        throw new IOException("it answered with " + message.type());
      }
      return TcpConnection.watched(wire, queuePair, greeting.offer(), options.keepalive());
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Other local failures are not revealed to an untrusted peer.
      boolean isOfPeer = e instanceof HcaException || e instanceof ConnectionException;
      String reason = isOfPeer ? String.valueOf(e.getMessage()) : "not now";
      say(Message.sentence(reason, MAX_REJECT_BYTES));
      wire.close();
      if (queuePair != null) {
        queuePair.close();
      }
      throw new ConnectionException("%s: %s".formatted(wire.peer(), e.getMessage()), e);
    }
  }

  private void connect(RcQueuePair queuePair, ConnectOptions connectOptions)
      throws ConnectionException {
    try {
      queuePair.connect(greeting.endpoint(), connectOptions);
    } catch (IllegalArgumentException e) {
      // The peer's endpoint has another link layer.
      throw new ConnectionException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void reject(byte... privateData) {
    if (privateData.length > MAX_REJECT_BYTES) {
      throw new IllegalArgumentException(
          "a rejection has at most %d private bytes, not %d"
              .formatted(MAX_REJECT_BYTES, privateData.length));
    }
    answer();
    say(new Message(MessageType.REJECT, privateData.clone()));
    wire.close();
  }

  private void say(Message message) {
    try {
      wire.write(message);
    } catch (IOException e) {
      // The peer is gone and needs no answer.
    }
  }

  @Override
  public String toString() {
    return "request of %s".formatted(wire.peer());
  }
}
