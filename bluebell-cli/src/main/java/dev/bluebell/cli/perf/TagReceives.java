package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.WorkOpcode;

/**
 * Tags for SENDs: one for each message, which names its slot. A message may be sent once its tag is
 * in the device's list.
 */
final class TagReceives extends Receives {
  private static final long WHOLE = -1;

  private final TagMatchingReceiveQueue tags;
  private final LocalWindow window;
  private final int number;
  private final int size;
  private final int lkey;
  private int added;

  /**
   * Describes the tags of a flow.
   *
   * @param most tags of the flow in the list, at most
   */
  TagReceives(TagMatchingReceiveQueue tags, int number, int size, LocalWindow window, int most) {
    super(
        new ReceiveQueue(
            tags::receive,
            tags::ringDoorbell,
            () -> Math.min(tags.exactFreeTags(), tags.freeOperations()),
            most),
        number,
        size);
    this.tags = tags;
    this.window = window;
    this.number = number;
    this.size = size;
    lkey = window.region().lkey();
  }

  /** The tag of a flow's message. */
  static long tag(int number, int index) {
    return (long) number << 32 | index;
  }

  @Override
  void begin() {
    added = 0;
  }

  @Override
  void post(int index, long id) {
    int unused =
        tags.add(tag(number, index), WHOLE)
            .scatter(window.address(index), size, lkey)
            .signaled(id, id);
  }

  @Override
  boolean isMessage(Completion completion) {
    if (completion.opcode() == WorkOpcode.TAG_ADD) {
      added++;
      return false;
    }
    return completion.isTagDone();
  }

  @Override
  int posted() {
    return added;
  }
}
