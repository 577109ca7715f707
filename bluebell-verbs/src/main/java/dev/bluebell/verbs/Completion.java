package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.CqeView;

/**
 * A completion: a view that its queue reuses, valid until the queue is polled for the next one.
 * Belongs to the thread that polls.
 */
public abstract sealed class Completion permits CqeView {

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

  /** Number of the queue pair, 24 bits. */
  public abstract int queuePairNumber();

  /**
   * Who sent the datagram that was received; valid as long as this view, and undefined for what is
   * no received datagram.
   */
  public abstract DatagramSource source();

  /** True when the peer asked for a solicited event. */
  public abstract boolean solicited();

  /** Device clock at completion, in cycles as {@link Device#clock()}; undefined for failures. */
  public abstract long timestamp();

  /**
   * Says in one sentence why the request failed. Software devices explain it in full; otherwise the
   * sentence says only what the status means. Allocates; not for the data path.
   */
  public abstract String explanation();
}
