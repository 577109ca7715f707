package dev.bluebell.verbs;

/**
 * A completion, as a view that its queue reuses: valid until the queue is polled for the next one.
 * Belongs to the polling thread.
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

  /** Syndrome of a failure, 1 … 255, even if it has no {@link CompletionStatus}; 0 on success. */
  public abstract int syndrome();

  /** The vendor's syndrome of a failure, 0 … 255; 0 on success. */
  public abstract int vendorSyndrome();

  /** The completed operation. */
  public abstract WorkOpcode opcode();

  /**
   * Bytes received, written by an RDMA WRITE with immediate, or read; for an atomic, the bytes of
   * its operand: 8, or 4, 8 or 16 for {@linkplain MaskedAtomicOperations masked ones}. Undefined
   * for other requests and for failures.
   */
  public abstract int byteCount();

  /** True when a receive completion carries an immediate. */
  public abstract boolean hasImmediate();

  /** The immediate of a receive completion: its 4 bytes in wire order as a big-endian number. */
  public abstract int immediate();

  /** True when a receive completion reports that the peer invalidated a key. */
  public abstract boolean hasInvalidatedRkey();

  /** The key that a SEND with invalidate invalidated. */
  public abstract int invalidatedRkey();

  /**
   * For a tag-matching queue: true when this is the first completion of a message that matched a
   * tag. Its data may still be in flight, see {@link #isTagDone}.
   */
  public abstract boolean isTagMatch();

  /**
   * For a tag-matching queue: true when this is the last completion for a tag. On success, all data
   * is in the tag's memory.
   */
  public abstract boolean isTagDone();

  /**
   * For a tag-matching queue: true when the message that matched a tag offers its payload and the
   * application must fetch it. The tag's memory holds the message, and {@link TagHeader#payload}
   * returns the location of the payload.
   */
  public abstract boolean wantsRendezvous();

  /**
   * For a tag-matching queue: true when the device has received unexpected messages that the
   * application has not reported as handled. Call {@link TagMatchingReceiveQueue#synchronize} then;
   * until it takes effect, the device may ignore tags that were added in the meantime.
   */
  public abstract boolean wantsSynchronization();

  /** Tag of a message to a tag-matching queue; 0 when the device does not report it. */
  public abstract long tag();

  /** The application context in the header of a message to a tag-matching queue. */
  public abstract int tagContext();

  /**
   * The queue pair whose request completed or that received the message. Found in constant time.
   *
   * @throws IllegalStateException when it has been closed
   */
  public abstract QueuePair queuePair();

  /** {@link QueuePair#number()} of the queue pair, also when it has been closed. */
  public abstract int queuePairNumber();

  /**
   * The sender of a received datagram. Valid as long as this view; undefined for completions of
   * anything else.
   */
  public abstract DatagramSource source();

  /**
   * The location of one packet of a message in a {@link StridingReceiveQueue}. Valid as long as
   * this view.
   *
   * @throws IllegalStateException when this completion is not from such a queue
   */
  public abstract ReceivedStride stride();

  /** True when the peer asked for a solicited event. */
  public abstract boolean solicited();

  /**
   * Device clock at completion, in cycles of {@link Device#clock()}. On a device whose {@linkplain
   * DeviceAttributes#realTime clock is set to the time of day}, seconds in the upper 32 bits and
   * nanoseconds in the lower. Undefined for failures.
   */
  public abstract long timestamp();

  /**
   * Explains in one sentence why the request failed. Software devices give the cause; otherwise the
   * sentence says what the status means and what is publicly known about the vendor's syndrome.
   * Allocates; not for the data path.
   */
  public abstract String explanation();
}
