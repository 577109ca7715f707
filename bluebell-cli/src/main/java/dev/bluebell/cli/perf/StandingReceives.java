package dev.bluebell.cli.perf;

/**
 * Receives for SENDs in a queue with a request for each slot of the window: they are written once,
 * and posted again as they are from then on.
 */
final class StandingReceives extends SendReceives implements Landing {
  private final LocalWindow window;
  private final int slots;

  /** Slots that hold no request yet. */
  private int empty;

  /** Slot of the round's first message. */
  private int start;

  /** Slot of the next request. */
  private int next;

  /**
   * Describes the receives of a flow.
   *
   * @param queue has as many requests as the window has slots, a power of two
   * @param most receives posted ahead, at most
   */
  StandingReceives(ReceiveQueue queue, int number, int size, LocalWindow window, int most) {
    super(queue, number, size, window, most);
    this.window = window;
    slots = window.slots();
    empty = slots;
  }

  @Override
  void begin() {
    start = next;
  }

  @Override
  void post(int index, int count) {
    int first = Math.min(count, empty);
    for (int i = 0; i < first; i++) {
      post(next + i, tag() | next + i);
    }
    empty -= first;
    queue().repost(count - first);
    next = slot(next + count);
  }

  @Override
  int place(long id, int index) {
    return (int) id ^ slot(start + index);
  }

  @Override
  public boolean holds(Payload payload, int count, long first) {
    return window.holds(payload, start, count, first);
  }

  private int slot(int number) {
    return number & slots - 1;
  }
}
