package dev.bluebell.connect.tcp;

import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.shared.QueuePairEnd;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A connection over TCP. A reading thread watches the peer. */
final class TcpConnection implements RdmaConnection {
  private static final int SILENCES = 3;

  private final Wire wire;
  private final QueuePairEnd end;
  private final Offer offer;
  private final long keepalive;

  private TcpConnection(Wire wire, RcQueuePair queuePair, Offer offer, Duration keepalive) {
    this.wire = wire;
    end = new QueuePairEnd(queuePair);
    this.offer = offer;
    this.keepalive = keepalive.toNanos();
  }

  /** Starts to watch the peer of a connected queue pair. */
  static TcpConnection watched(Wire wire, RcQueuePair queuePair, Offer offer, Duration keepalive) {
    TcpConnection connection = new TcpConnection(wire, queuePair, offer, keepalive);
    Thread unused = Thread.ofVirtual().name("bluebell-connection").start(connection::watch);
    return connection;
  }

  private void watch() {
    try {
      while (!hear()) {
        // hear() has already handled the peer's message.
      }
      end(Ending.DISCONNECTED_BY_PEER);
    } catch (IOException e) {
      end(Ending.LOST);
    }
  }

  /** Handles the peer's next message; true when it disconnects. */
  private boolean hear() throws IOException {
    Message message = keepalive == 0 ? wire.read() : readOrAsk();
    switch (message.type()) {
      case PING -> wire.write(Message.of(MessageType.PONG));
      case PONG -> {}
      case DISCONNECT -> {
        return true;
      }
      default -> throw new IOException("the peer sent %s when connected".formatted(message.type()));
    }
    return false;
  }

  private Message readOrAsk() throws IOException {
    long start = System.nanoTime();
    for (int silence = 1; ; silence++) {
      try {
        return wire.read(start + silence * keepalive);
      } catch (SocketTimeoutException e) {
        if (silence == SILENCES) {
          throw e;
        }
        wire.write(Message.of(MessageType.PING));
      }
    }
  }

  private void end(Ending how) {
    if (end.begin()) {
      finish(how);
    }
  }

  private void finish(Ending how) {
    wire.close();
    end.finish(how);
  }

  @Override
  public RcQueuePair queuePair() {
    return end.queuePair();
  }

  @Override
  public Offer offer() {
    return offer;
  }

  @Override
  public InetSocketAddress peer() {
    return wire.peer();
  }

  @Override
  public boolean isOpen() {
    return end.isOpen();
  }

  @Override
  public CompletableFuture<Ending> ended() {
    return end.future();
  }

  @Override
  public void disconnect() {
    // Before the peer is notified: when it then closes its side, the connection is not lost.
    if (end.begin()) {
      wire.close(Message.of(MessageType.DISCONNECT));
      finish(Ending.DISCONNECTED_HERE);
    }
  }

  @Override
  public void close() {
    disconnect();
    end.queuePair().close();
  }

  @Override
  public String toString() {
    return "connection of %s with %s".formatted(end.queuePair(), wire.peer());
  }
}
