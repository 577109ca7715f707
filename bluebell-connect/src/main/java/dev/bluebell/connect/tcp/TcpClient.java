package dev.bluebell.connect.tcp;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RejectedException;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/** Connects to a server over TCP. */
final class TcpClient implements RdmaClient {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final InetSocketAddress server;
  private final TcpOptions options;

  /** How the connections of this client were made. */
  private final Map<RdmaConnection, Plan> plans = Collections.synchronizedMap(new WeakHashMap<>());

  private record Plan(Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions options) {}

  TcpClient(InetSocketAddress server, TcpOptions options) {
    this.server = server;
    this.options = options;
  }

  @Override
  public RdmaConnection connect(
      Supplier<RcQueuePair> queuePair, Offer offer, ConnectOptions connectOptions)
      throws ConnectionException {
    if (offer.privateData().length > Offer.MAX_CONNECT_BYTES) {
      throw new IllegalArgumentException(
          "who connects tells at most %d private bytes, not %d"
              .formatted(Offer.MAX_CONNECT_BYTES, offer.privateData().length));
    }
    Plan plan = new Plan(queuePair, offer, connectOptions);
    RdmaConnection connection = connect(plan);
    plans.put(connection, plan);
    return connection;
  }

  private RdmaConnection connect(Plan plan) throws ConnectionException {
    long deadline = System.nanoTime() + options.deadline().toNanos();
    Wire wire = dial();
    RcQueuePair queuePair = null;
    try {
      queuePair = plan.queuePair.get();
      wire.write(Message.of(MessageType.CONNECT, queuePair.endpoint(), plan.offer));
      Message.Greeting answer = answer(wire.read(deadline));
      queuePair.connect(answer.endpoint(), plan.options);
      wire.write(Message.of(MessageType.READY));
      return TcpConnection.watched(wire, queuePair, answer.offer(), options.keepalive());
    } catch (IOException | RuntimeException e) {
      wire.close();
      if (queuePair != null) {
        queuePair.close();
      }
      throw e instanceof ConnectionException known
          ? known
          : new ConnectionException("%s: %s".formatted(server, e.getMessage()), e);
    }
  }

  private Wire dial() throws ConnectionException {
    Socket socket = new Socket();
    try {
      socket.connect(server, Math.toIntExact(options.deadline().toMillis()));
      return new Wire(socket);
    } catch (IOException e) {
      try (socket) {
        throw new ConnectionException(
            "%s can't be reached: %s".formatted(server, e.getMessage()), e);
      } catch (ConnectionException reason) {
        throw reason;
      } catch (IOException unclosed) {
        throw new ConnectionException("%s can't be reached".formatted(server), unclosed);
      }
    }
  }

  private Message.Greeting answer(Message message) throws ConnectionException {
    return switch (message.type()) {
      case ACCEPT -> message.greeting();
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

  @Override
  public RdmaConnection reconnect(RdmaConnection before, Duration patience)
      throws ConnectionException, InterruptedException {
    Plan plan = plans.remove(before);
    if (plan == null) {
      throw new IllegalArgumentException(
          "%s was not made by this client, or was reconnected before".formatted(before));
    }
    before.close();
    try {
      RdmaConnection connection = connect(plan, patience);
      plans.put(connection, plan);
      return connection;
    } catch (ConnectionException | InterruptedException | RuntimeException e) {
      // Who asks again later may.
      plans.put(before, plan);
      throw e;
    }
  }

  private RdmaConnection connect(Plan plan, Duration patience)
      throws ConnectionException, InterruptedException {
    long start = System.nanoTime();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        return connect(plan);
      } catch (RejectedException e) {
        throw e;
      } catch (ConnectionException e) {
        if (System.nanoTime() - start >= patience.toNanos()) {
          throw e;
        }
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }
}
