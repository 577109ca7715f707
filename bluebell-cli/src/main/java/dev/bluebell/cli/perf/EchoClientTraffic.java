package dev.bluebell.cli.perf;

/** The half of the echo that starts messages, when another process has the other half. */
final class EchoClientTraffic implements Echoes {
  private final EchoClient client;
  private final Payload payload;
  private final LocalWindow window;
  private final Stall stall;
  private long sequence;
  private int count;

  /**
   * @param window where messages come back to
   */
  EchoClientTraffic(EchoClient client, Payload payload, LocalWindow window, Stall stall) {
    this.client = client;
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
    client.start(messages, sequence);
    sequence += messages;
  }

  @Override
  public void run() {
    runUntil(count);
  }

  @Override
  public void runUntil(int echoes) {
    stall.restart();
    while (client.arrived() < echoes) {
      client.advance();
      stall.note(client.poll());
    }
  }

  @Override
  public boolean verify() {
    return client.isInOrder() && window.holds(payload, count, sequence - count);
  }

  @Override
  public boolean copy() {
    return false;
  }
}
