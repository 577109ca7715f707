package dev.bluebell.cli.perf;

/** Receives for SENDs: each has a slot with room for a message and its header. */
class SendReceives extends Receives {
  private final LocalWindow window;
  private final int header;
  private final int bytes;
  private final int lkey;

  SendReceives(ReceiveQueue queue, int number, int size, LocalWindow window) {
    super(queue, number, window.header() + size);
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
