package dev.bluebell.connect.tcp;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RejectedException;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.connect.shared.LocalFailure;
import dev.bluebell.connect.shared.NewQueuePair;
import dev.bluebell.connect.shared.ReconnectingClient;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Supplier;

/** Connects to a server over TCP. */
final class TcpDialer implements ReconnectingClient.Dialer {
  private final InetSocketAddress server;
  private final TcpOptions options;

  TcpDialer(InetSocketAddress server, TcpOptions options) {
    this.server = server;
    this.options = options;
  }

  @Override
  public TcpConnection connect(
      Supplier<RcQueuePair> maker, Offer offer, ConnectOptions connectOptions, Duration limit)
      throws ConnectionException {
    long deadline = System.nanoTime() + limit.toNanos();
    Wire wire = dial(limit);
    RcQueuePair queuePair = null;
    TcpConnection made = null;
    try {
      queuePair = NewQueuePair.of(maker.get());
      wire.write(
          Message.of(MessageType.CONNECT, Message.endpoint(queuePair, connectOptions), offer));
      Message.Greeting answer = answer(read(wire, limit, deadline));
      queuePair.connect(answer.endpoint(), answer.agreed(connectOptions, queuePair));
      wire.write(Message.of(MessageType.READY));
      made = TcpConnection.watched(wire, queuePair, answer.offer(), options.keepalive());
      return made;
    } catch (ConnectionException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectionException("%s: %s".formatted(server, e.getMessage()), e);
    } catch (RuntimeException | OutOfMemoryError e) {
      // The queue pair and its rings may need more memory than there is.
      throw new LocalFailure(server, e);
    } finally {
      if (made == null) {
        wire.close();
        if (queuePair != null) {
          queuePair.close();
        }
      }
    }
  }

  private Wire dial(Duration limit) throws ConnectionException {
    try {
      // Closed when it can't be connected.
      Socket socket = new Socket();
      socket.connect(server, Math.toIntExact(limit.toMillis()));
      return new Wire(socket);
    } catch (IOException e) {
      throw new ConnectionException("%s can't be reached: %s".formatted(server, e.getMessage()), e);
    }
  }

  private Message read(Wire wire, Duration limit, long deadline) throws IOException {
    try {
      return wire.read(deadline);
    } catch (SocketTimeoutException e) {
      throw new ConnectionException(
          "%s listens, but did not answer the request for a connection within %d ms: its application must call RdmaServer.next() and accept or reject the request, or the client must wait longer (TcpOptions.withDeadline, or the patience of reconnect)"
              .formatted(server, limit.toMillis()),
          e);
    } catch (EOFException | SocketException e) {
      throw new ConnectionException(
          "%s ended the connection without an answer: it closes, already holds its maximum of requests (TcpOptions.withMaxPending), or its application did not call RdmaServer.next() in time"
              .formatted(server),
          e);
    }
  }

  private Message.Greeting answer(Message message) throws ConnectionException {
    return switch (message.type()) {
      case ACCEPT -> greeting(message);
      case REJECT ->
          throw new RejectedException(
              "%s rejects the connection".formatted(server), message.body());
      case FAIL ->
          throw new ConnectionException(
              "%s can't connect: %s".formatted(server, message.sentence()));
      default ->
          throw new ConnectionException(
              "%s answered a request for a connection with %s".formatted(server, message.type()));
    };
  }

  private Message.Greeting greeting(Message message) throws ConnectionException {
    try {
      return message.greeting();
    } catch (IllegalArgumentException e) {
      throw new ConnectionException(
          "%s accepted the connection with an invalid message: %s"
              .formatted(server, e.getMessage()),
          e);
    }
  }
}
