package dev.bluebell.softnic.command;

import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.translation.Umem;
import org.jspecify.annotations.Nullable;

/**
 * A queue of receive WQEs that queue pairs share: a receive memory pool (RMP), or a tag-matching
 * queue (XRQ).
 *
 * @param number the RMPN or XRQN, from a common range
 * @param context the context, kept for queries
 * @param domain the domain of the memory keys in its WQEs
 * @param tags null for a pool
 */
record ReceivePool(
    int number,
    byte[] context,
    ProtectionDomain domain,
    ReceiveQueue queue,
    Umem ringMemory,
    Umem recordMemory,
    int[] users,
    @Nullable TagMatching tags) {

  /** Makes a pool, which takes the memory and the domain into use. */
  static ReceivePool of(ReceiveWq wq, int number, byte[] context, @Nullable TagMatching tags) {
    wq.use();
    return new ReceivePool(
        number,
        context,
        wq.domain(),
        wq.queue(number),
        wq.ring().umem(),
        wq.record().umem(),
        new int[1],
        tags);
  }

  void use(int delta) {
    users[0] += delta;
  }

  /** Releases the domain and the memory. */
  void release() {
    domain.use(-1);
    ringMemory.release();
    recordMemory.release();
  }

  @Override
  public String toString() {
    String matches = tags == null ? "" : ", %d tags".formatted(tags.list().length());
    return "%s 0x%x: %d WQEs, %d available, %d users%s"
        .formatted(
            tags == null ? "RMP" : "XRQ", number, queue.size(), queue.look(), users[0], matches);
  }
}
