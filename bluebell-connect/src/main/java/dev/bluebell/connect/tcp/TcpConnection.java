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

  /** Nanoseconds of silence after which the peer is probed; the largest number for never. */
  private final long keepalive;

  private TcpConnection(Wire wire, RcQueuePair queuePair, Offer offer, Duration keepalive) {
    super(queuePair, offer, wire.peer());
    this.wire = wire;
    this.keepalive = keepalive.isZero() ? Long.MAX_VALUE : keepalive.toNanos();
  }

  /** Starts to watch the peer of a connected queue pair. */
  static TcpConnection watched(Wire wire, RcQueuePair queuePair, Offer offer, Duration keepalive) {
    TcpConnection connection = new TcpConnection(wire, queuePair, offer, keepalive);
    Thread unused = Thread.ofVirtual().name("bluebell-connection").start(connection::watch);
    return connection;
  }

  private void watch() {
    try {
      Message message = readOrProbe();
      for (; message.type() != MessageType.DISCONNECT; message = readOrProbe()) {
        switch (message.type()) {
          case PING -> wire.write(Message.of(MessageType.PONG));
          case PONG -> {}
          default ->
              throw new IOException("the peer sent %s when connected".formatted(message.type()));
        }
      }
      end(Ending.DISCONNECTED_BY_PEER);
    } catch (IOException e) {
      end(Ending.LOST);
    }
  }

  private Message readOrProbe() throws IOException {
    for (int silence = 1; ; silence++) {
      try {
        // From now, so that each probe can be answered: this process may have been paused.
        return wire.read(System.nanoTime() + keepalive);
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
      toError();
      complete(how);
    }
  }

  @Override
  public void disconnect() {
    // Before the peer is notified: when it then closes its side, the connection is not lost.
    if (begin()) {
      wire.close(Message.of(MessageType.DISCONNECT));
      toError();
      complete(Ending.DISCONNECTED_HERE);
    }
  }
}
