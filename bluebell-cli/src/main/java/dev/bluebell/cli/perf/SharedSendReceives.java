package dev.bluebell.cli.perf;

import java.util.List;

/**
 * Receives for SENDs in a shared receive queue. A message goes to the slot of the next request,
 * whichever flow posted it, so each message's place is noted.
 */
final class SharedSendReceives extends SendReceives implements Landing {
  private final List<LocalWindow> windows;
  private final long[] places;

  /**
   * Describes the receives of one flow.
   *
   * @param windows of all flows, by flow number
   */
  SharedSendReceives(ReceiveQueue queue, int number, int size, List<LocalWindow> windows) {
    super(queue, number, size, windows.get(number), queue.size());
    this.windows = windows;
    places = new long[windows.get(number).slots()];
  }

  @Override
  int place(long id, int index) {
    places[index] = id;
    return 0;
  }

  @Override
  public boolean holds(Payload payload, int count, long first) {
    int content = payload.content(first);
    boolean good = true;
    for (int i = 0; i < count; i++) {
      LocalWindow window = windows.get(Flow.number(places[i]));
      good &= window.isAt(payload, (int) places[i], content);
      content = payload.after(content);
    }
    return good;
  }
}
