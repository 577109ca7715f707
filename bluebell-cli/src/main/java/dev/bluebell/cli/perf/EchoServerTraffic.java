package dev.bluebell.cli.perf;

/** The half of the echo that sends messages back, when another process has the other half. */
final class EchoServerTraffic implements Traffic {
  private final EchoServer server;
  private final Payload payload;
  private final LocalWindow window;
  private final Stall stall;
  private long sequence;
  private int count;

  /**
   * @param window where messages arrive
   */
  EchoServerTraffic(EchoServer server, Payload payload, LocalWindow window, Stall stall) {
    this.server = server;
    this.payload = payload;
    this.window = window;
    this.stall = stall;
  }

  @Override
  public int window() {
    return window.slots();
  }

  @Override
  public void prepare(int messages) {
    count = messages;
    window.poison();
    server.start(sequence);
    sequence += messages;
  }

  @Override
  public void run() {
    stall.restart();
    while (server.arrived() < count) {
      int done = server.poll();
      if (done > 0) {
        server.requester().ringDoorbell();
      }
      stall.note(done);
    }
  }

  @Override
  public boolean verify() {
    return server.isInOrder() && window.holds(payload, count, sequence - count);
  }

  @Override
  public boolean copy() {
    return false;
  }
}
