package dev.bluebell.softnic.command;

import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.TagMatching;
import org.jspecify.annotations.Nullable;

/**
 * A queue of receive WQEs that queue pairs share: a receive memory pool (RMP), or a tag-matching
 * queue (XRQ).
 *
 * @param number the RMPN or XRQN, from a common range
 * @param context the context, kept for queries
 * @param tags null for a pool
 */
record ReceivePool(
    int number, byte[] context, ReceiveQueue queue, int[] users, @Nullable TagMatching tags) {

  static ReceivePool of(ReceiveWq wq, int number, byte[] context, @Nullable TagMatching tags) {
    return new ReceivePool(number, context, wq.queue(number), new int[1], tags);
  }

  void use(int delta) {
    users[0] += delta;
  }

  @Override
  public String toString() {
    String matches = tags == null ? "" : ", %d tags".formatted(tags.list().length());
    return "%s 0x%x: %d WQEs, %d available, %d users%s"
        .formatted(
            tags == null ? "RMP" : "XRQ", number, queue.size(), queue.look(), users[0], matches);
  }
}
