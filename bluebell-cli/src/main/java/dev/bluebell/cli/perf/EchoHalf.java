package dev.bluebell.cli.perf;

/** One side of the echo, when another process has the other side. */
final class EchoHalf implements Echoes {
  private final EchoSide side;
  private final Payload payload;
  private final LocalWindow window;
  private final Stall stall;
  private long sequence;
  private int count;

  /**
   * @param window where messages arrive
   */
  EchoHalf(EchoSide side, Payload payload, LocalWindow window, Stall stall) {
    this.side = side;
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
    side.start(messages, sequence);
    sequence += messages;
  }

  @Override
  public void run() {
    runUntil(count);
  }

  @Override
  public void runUntil(int echoes) {
    stall.restart();
    while (side.arrived() < echoes) {
      stall.note(side.advance());
    }
  }

  @Override
  public boolean verify() {
    return side.isInOrder() && window.holds(payload, count, sequence - count);
  }

  @Override
  public boolean copy() {
    return false;
  }
}
