package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;

/** A client's traffic. The server prepares for each round, and checks its messages afterwards. */
final class PeerTraffic implements Traffic {
  private final Traffic own;
  private final PeerChannel server;

  PeerTraffic(Traffic own, PeerChannel server) {
    this.own = own;
    this.server = server;
  }

  @Override
  public int window() {
    return own.window();
  }

  @Override
  public void prepare(int messages, long first) {
    server.send(PeerMessage.of(PeerMessage.Kind.ROUND, messages));
    PeerMessage unused = server.receive(PeerMessage.Kind.READY);
    // Comes last because it wakes the device.
    own.prepare(messages, first);
  }

  @Override
  public void run() {
    try {
      own.run();
    } catch (WorkFailed | IllegalStateException e) {
      // Requests to a peer that is gone fail; the cause is that it is gone.
      server.requireThereSoon();
      throw e;
    }
  }

  @Override
  public boolean verify() {
    boolean good = own.verify();
    server.send(PeerMessage.of(PeerMessage.Kind.LOOK));
    return server.receive(PeerMessage.Kind.LOOKED).number() == 1 && good;
  }
}
