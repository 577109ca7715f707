package dev.bluebell.verbs;

/**
 * A completion: a view that its queue reuses, valid until the queue is polled for the next one.
 * Belongs to the thread that polls.
 */
public abstract class Completion {

  /** For the implementation only. */
  protected Completion() {}

  /** The id that the request was posted with. */
  public abstract long id();

  /** How the request ended. */
  public abstract CompletionStatus status();

  /** True when the request succeeded. */
  public abstract boolean isSuccess();

  /**
   * Syndrome of a failure, 1 … 255, also one that has no {@link CompletionStatus}; 0 on success.
   */
  public abstract int syndrome();

  /** The vendor's syndrome of a failure, 0 … 255; 0 on success. */
  public abstract int vendorSyndrome();

  /** Operation that completed. */
  public abstract WorkOpcode opcode();

  /**
   * Bytes received, written by an RDMA WRITE with immediate, or read; 8 for atomics. Undefined for
   * other requests and for failures.
   */
  public abstract int byteCount();

  /** True when a receive completion carries an immediate. */
  public abstract boolean hasImmediate();

  /** The immediate of a receive completion: its 4 bytes in wire order as a big-endian number. */
  public abstract int immediate();

  /** True when a receive completion tells that the peer invalidated a key. */
  public abstract boolean hasInvalidatedRkey();

  /** The key that a SEND with invalidate invalidated. */
  public abstract int invalidatedRkey();

  /**
   * Of a tag-matching queue: true when this tells first that a message took a tag. Its data may
   * still be on their way, see {@link #isTagDone}.
   */
  public abstract boolean isTagMatch();

  /**
   * Of a tag-matching queue: true when this is the last that is told of a tag, and on success all
   * data are in its memory.
   */
  public abstract boolean isTagDone();

  /**
   * Of a tag-matching queue: true when the message that took a tag offers its payload, and the
   * program must fetch it: the tag's memory holds the message, of which {@link TagHeader#payload}
   * tells where that is.
   */
  public abstract boolean wantsRendezvous();

  /**
   * Of a tag-matching queue: true when the device has met unexpected messages of which the
   * application had not told it, so that {@link TagMatchingReceiveQueue#synchronize} should follow:
   * until then the device may leave tags aside that were added meanwhile.
   */
  public abstract boolean wantsSynchronization();

  /** Tag of a message to a tag-matching queue; 0 where the device does not tell it. */
  public abstract long tag();

  /** What the header of a message to a tag-matching queue has beside its tag. */
  public abstract int tagContext();

  /**
   * The queue pair whose request completed, or that got the message. Found in constant time.
   *
   * @throws IllegalStateException when it was closed meanwhile
   */
  public abstract QueuePair queuePair();

  /** Number of the queue pair, 24 bits. */
  public abstract int queuePairNumber();

  /**
   * Who sent the datagram that was received; valid as long as this view, and undefined for what is
   * no received datagram.
   */
  public abstract DatagramSource source();

  /**
   * Where a message, or a packet of it, lies that came to a {@link StridingReceiveQueue}; valid as
   * long as this view.
   *
   * @throws IllegalStateException when this completion is not of such a queue
   */
  public abstract ReceivedStride stride();

  /** True when the peer asked for a solicited event. */
  public abstract boolean solicited();

  /** Device clock at completion, in cycles as {@link Device#clock()}; undefined for failures. */
  public abstract long timestamp();

  /**
   * Says in one sentence why the request failed. Software devices explain it in full; otherwise the
   * sentence says what the status means, and what is publicly known of the vendor's code.
   * Allocates; not for the data path.
   */
  public abstract String explanation();
}
