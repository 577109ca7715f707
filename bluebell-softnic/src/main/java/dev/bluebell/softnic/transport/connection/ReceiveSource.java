package dev.bluebell.softnic.transport.connection;

import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.TagMatching;
import org.jspecify.annotations.Nullable;

/**
 * Where a message is received: a queue of receive WQEs, which has its protection domain, and how
 * their completions are told. A queue pair has one of its own or shares one; which it is, is asked
 * for each message.
 *
 * @param userIndex what completions name the receiver by
 * @param isShared true when others receive from the queue, too
 * @param tags of a tag-matching queue, whose messages go to the buffers of their tags first
 */
public record ReceiveSource(
    ReceiveQueue queue,
    CompletionQueue completions,
    int userIndex,
    boolean isShared,
    @Nullable TagMatching tags) {

  /** A source that knows no tags. */
  public ReceiveSource(
      ReceiveQueue queue, CompletionQueue completions, int userIndex, boolean isShared) {
    this(queue, completions, userIndex, isShared, null);
  }

  /** What a pool is called where its number follows: XRQ when it matches tags, otherwise RMP. */
  public String kind() {
    return tags == null ? "RMP" : "XRQ";
  }

  /** A tag-matching queue. */
  public static ReceiveSource tagMatching(ReceiveQueue queue, TagMatching tags) {
    return new ReceiveSource(queue, tags.completions(), tags.userIndex(), true, tags);
  }
}
