package dev.bluebell.verbs.xrc;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.pair.Connection;
import dev.bluebell.verbs.pair.QueuePairImpl;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.value.Ranges;

/** Implements {@link XrcInitiator}. */
public final class XrcInitiatorImpl extends QueuePairImpl implements XrcInitiator {
  private final Connection connection;

  /** Makes the queue pair of its parts and moves it to INIT. */
  public XrcInitiatorImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts);
    connection = new Connection(parts.states(), parts.device(), settings);
    start();
  }

  @Override
  public void start() {
    connection.start();
    send.hold(Connection.tooEarly(number()));
  }

  @Override
  public ReliableOperations toSharedReceives(int number) {
    return send.toSharedReceives(Ranges.require("number", number, 0, 0xffffff));
  }

  @Override
  public synchronized QueuePairEndpoint endpoint() {
    lifetime.requireOpen();
    return connection.endpoint();
  }

  @Override
  public synchronized void connect(QueuePairEndpoint remote, ConnectOptions options) {
    lifetime.requireOpen();
    connection.connect(remote, options);
    send.admit();
  }
}
