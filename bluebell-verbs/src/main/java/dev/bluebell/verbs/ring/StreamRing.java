package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.StreamOperations;
import java.util.stream.LongStream;

/**
 * A send queue whose requests are on streams, and complete in any order: each completion releases
 * its own request alone. It is a {@link SendRing} with the account of {@link UnorderedRequests}, in
 * which requests are entered when the doorbell rings, because none can complete before.
 *
 * <p>One thread posts and rings; one thread polls the completion queue, which releases requests.
 */
public final class StreamRing {
  private static final int INDEX_MASK = 0xffff;
  final SendRing ring;
  private final UnorderedRequests outstanding;

  /** Index behind the request that was entered last. */
  private int entered;

  /** Takes over a ring that no request was posted to. */
  public StreamRing(SendRing ring) {
    this.ring = ring;
    entered = ring.producerIndex();
    outstanding = new UnorderedRequests(ring.wqebbs(), entered);
  }

  /**
   * Starts a request that goes to a destination of its own on a stream.
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

  /** WQEBBs that are free in a row. */
  public int freeWqebbs() {
    retire();
    return ring.freeWqebbs();
  }

  /** WQEBBs that no outstanding request has, in a row or not. */
  public int releasedWqebbs() {
    int notEntered = ring.producerIndex() - entered & INDEX_MASK;
    return ring.wqebbs() - notEntered - outstanding.outstandingSlots(entered);
  }

  /** As {@link SendRing#hasRoom}. */
  public boolean hasRoom() {
    retire();
    return ring.hasRoom();
  }

  /** Tells the ring how far all requests are released. */
  private void retire() {
    int used = ring.wqebbs() - outstanding.exactFree(entered);
    ring.retire(entered - used);
  }

  /**
   * Ids of the requests that were posted and of which no poll told yet, oldest first. Nobody posts
   * meanwhile.
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

  /** How far the queue is; as {@link SendRing#state()}. */
  public SendRingState state() {
    retire();
    int used = ring.wqebbs() - outstanding.exactFree(entered);
    int first = entered - used;
    return ring.state(
        index -> (index - first & INDEX_MASK) >= used || outstanding.isOutstanding(index));
  }

  /** Forgets all requests, as its ring did, which starts at index 0. */
  public void reset() {
    entered = 0;
    outstanding.reset(0);
  }

  /**
   * Releases the request that starts at {@code counter}.
   *
   * @param counter 16 bits, as the completion gives it
   * @return false when it was NOP fill, which nobody posted
   * @throws IllegalStateException when no request is outstanding there
   */
  boolean complete(int counter, CqeView view) {
    boolean fill = outstanding.isFill(counter);
    // Reading the id of what is not outstanding does no harm, as nobody is told of it.
    long id = outstanding.id(counter);
    if (!outstanding.release(counter)) {
      throw ring.nothingAt(counter);
    }
    view.id = id;
    return !fill;
  }
}
