package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.TagMatching;
import org.jspecify.annotations.Nullable;

/**
 * A source of receive WQEs for messages: a receive queue, which has its own protection domain, and
 * the completion queue of its WQEs. A queue pair has its own source or shares one; it is chosen for
 * each message.
 *
 * @param userIndex identifier of the receiver in completions
 * @param isShared true when other queue pairs also receive from the queue
 * @param tags the tags of a tag-matching queue, which first tries the buffers of matching tags;
 *     null for others
 */
public record ReceiveSource(
    ReceiveQueue queue,
    CompletionQueue completions,
    int userIndex,
    boolean isShared,
    @Nullable TagMatching tags) {

  /** A source without tag matching. */
  public ReceiveSource(
      ReceiveQueue queue, CompletionQueue completions, int userIndex, boolean isShared) {
    this(queue, completions, userIndex, isShared, null);
  }

  /** The kind of a pool, to be followed by its number: XRQ when it matches tags, otherwise RMP. */
  public String kind() {
    return tags == null ? "RMP" : "XRQ";
  }

  /**
   * Completes a receive WQE in error; false when the completion queue is overrun.
   *
   * @param qpn number of the receiver
   */
  public boolean fail(int qpn, int wqeIndex, int syndrome, int vendorSyndrome, String explanation) {
    return completions.completeError(
        CqeOpcode.RESP_ERR, qpn, userIndex, 0, wqeIndex, syndrome, vendorSyndrome, explanation);
  }

  /** Creates the source of a tag-matching queue. */
  public static ReceiveSource tagMatching(ReceiveQueue queue, TagMatching tags) {
    return new ReceiveSource(queue, tags.completions(), tags.userIndex(), true, tags);
  }
}
