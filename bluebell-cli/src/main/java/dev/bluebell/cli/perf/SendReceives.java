package dev.bluebell.cli.perf;

/** Receives for SENDs: each has a slot with room for a message and its header. */
class SendReceives extends Receives {
  private final LocalWindow window;
  private final int header;
  private final int bytes;
  private final int lkey;

  /**
   * Describes the receives of a flow.
   *
   * @param most receives posted ahead, at most
   */
  SendReceives(ReceiveQueue queue, int number, int size, LocalWindow window, int most) {
    super(queue, number, window.header() + size, most);
    this.window = window;
    header = window.header();
    bytes = header + size;
    lkey = window.region().lkey();
  }

  @Override
  final void post(int index, long id) {
    queue().receive().scatter(window.address(index) - header, bytes, lkey).post(id);
  }
}
