package dev.bluebell.connect.tcp;

import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.shared.EndingConnection;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** A connection over TCP. A reading thread watches the peer. */
final class TcpConnection extends EndingConnection {
  private static final int SILENCES = 3;

  private final Wire wire;
  private final long keepalive;

  private TcpConnection(Wire wire, RcQueuePair queuePair, Offer offer, Duration keepalive) {
    super(queuePair, offer, wire.peer());
    this.wire = wire;
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
    if (begin()) {
      wire.close();
      finish(how);
    }
  }

  @Override
  public void disconnect() {
    // Before the peer is notified: when it then closes its side, the connection is not lost.
    if (begin()) {
      wire.close(Message.of(MessageType.DISCONNECT));
      finish(Ending.DISCONNECTED_HERE);
    }
  }
}
