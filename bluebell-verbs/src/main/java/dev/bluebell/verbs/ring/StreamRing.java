package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.StreamOperations;
import java.util.stream.LongStream;

/**
 * A send queue whose requests are on streams, and complete in any order: each completion releases
 * its own request alone. It combines a {@link SendRing} with {@link UnorderedRequests}, to which
 * requests are added when the doorbell rings, because none can complete before.
 *
 * <p>One thread posts and rings; one thread polls the completion queue, which releases requests.
 */
public final class StreamRing {
  private static final int INDEX_MASK = 0xffff;
  final SendRing ring;
  private final UnorderedRequests outstanding;

  /** Index behind the request that was entered last. */
  private int entered;

  /** Uses a ring to which no request was posted. */
  public StreamRing(SendRing ring) {
    this.ring = ring;
    entered = ring.producerIndex();
    outstanding = new UnorderedRequests(ring.wqebbs(), entered);
  }

  /**
   * Starts a request on a stream that names its destination.
   *
   * @param stream its number, 16 bits
   */
  public StreamOperations to(AddressWords destination, int stream) {
    retire();
    return ring.onStream(destination, stream);
  }

  /**
   * Starts a request without a destination on a stream.
   *
   * @param stream its number, 16 bits
   */
  public StreamRequest on(int stream) {
    retire();
    return ring.onStream(stream);
  }

  /** Makes the device see all requests that ended since the last ring. */
  public void ringDoorbell() {
    int end = ring.producerIndex();
    while (entered != end) {
      entered = enter(entered) & INDEX_MASK;
    }
    ring.ringDoorbell();
  }

  /** Enters what was posted at an index; returns the index behind it. */
  private int enter(int index) {
    long slot = ring.slot(index);
    int size = PostedRequests.mark(slot);
    if (size < 0) {
      outstanding.addFill(index, -size);
      return index - size;
    }
    outstanding.add(index, size, PostedRequests.id(slot));
    return index + size;
  }

  /** WQEBBs that are free and contiguous. */
  public int freeWqebbs() {
    retire();
    return ring.freeWqebbs();
  }

  /** WQEBBs that no outstanding request occupies, contiguous or not. */
  public int releasedWqebbs() {
    int notEntered = ring.producerIndex() - entered & INDEX_MASK;
    return ring.wqebbs() - notEntered - outstanding.outstandingSlots(entered);
  }

  /** As {@link SendRing#hasRoom}. */
  public boolean hasRoom() {
    retire();
    return ring.hasRoom();
  }

  /** Retires in the ring all requests before the oldest outstanding one. */
  private void retire() {
    int used = ring.wqebbs() - outstanding.exactFree(entered);
    ring.retire(entered - used);
  }

  /**
   * Ids of the posted requests whose completions have not been polled, oldest first. Call it while
   * no thread posts.
   */
  public long[] pendingIds() {
    LongStream.Builder ids = LongStream.builder();
    int end = ring.producerIndex();
    int index = entered - (ring.wqebbs() - outstanding.exactFree(entered)) & INDEX_MASK;
    boolean isEntered = index != entered;
    while (index != end) {
      long slot = ring.slot(index);
      int size = PostedRequests.size(slot);
      if (size > 0 && (!isEntered || outstanding.isOutstanding(index))) {
        ids.add(PostedRequests.id(slot));
      }
      index = index + Math.abs(size) & INDEX_MASK;
      isEntered &= index != entered;
    }
    return ids.build().toArray();
  }

  /** State of the queue, as {@link SendRing#state()}. */
  public SendRingState state() {
    retire();
    int used = ring.wqebbs() - outstanding.exactFree(entered);
    int first = entered - used;
    return ring.state(
        index -> (index - first & INDEX_MASK) >= used || outstanding.isOutstanding(index));
  }

  /** Removes all requests after the ring was reset to index 0. */
  public void reset() {
    entered = 0;
    outstanding.reset(0);
  }

  /**
   * Releases the request that starts at {@code counter}.
   *
   * @param counter 16 bits, as the completion gives it
   * @return false when it was NOP fill
   * @throws IllegalStateException when no request is outstanding there
   */
  boolean complete(int counter, CqeView view) {
    boolean fill = outstanding.isFill(counter);
    // Reading the id of a request that is not outstanding is harmless, because the id is not used.
    long id = outstanding.id(counter);
    if (!outstanding.release(counter)) {
      throw ring.nothingAt(counter);
    }
    view.id = id;
    return !fill;
  }
}
