package dev.bluebell.verbs.ring;

import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.verbs.value.Sizes;

/**
 * The memory layout of a receive queue. The addresses must stay valid as long as the ring is used,
 * and are trusted.
 *
 * @param address of the ring; a multiple of 16
 * @param logRequests binary logarithm of the number of requests, 0 … 15
 * @param logStride binary logarithm of a request's bytes, 4 … 11
 * @param qpn number of the queue pair, 24 bits
 * @param doorbellRecord address of the queue pair's doorbell record
 * @param startIndex producer index to start with, 0 … 65535; 0 for a device's queue
 * @param signed whether each request starts with a segment that holds its signature
 * @param managed whether requests of other queues, not the doorbell record, enable its requests
 */
public record ReceiveRingLayout(
    long address,
    int logRequests,
    int logStride,
    int qpn,
    long doorbellRecord,
    int startIndex,
    boolean signed,
    boolean managed) {
  private static final int MAX_LOG_REQUESTS = 15;
  private static final int MIN_LOG_STRIDE = 4;
  private static final int MAX_LOG_STRIDE = 11;

  /** Refuses values that would lead to accesses outside the ring. */
  public ReceiveRingLayout {
    if (logRequests < 0 || logRequests > MAX_LOG_REQUESTS) {
      throw new IllegalArgumentException(
          "a receive ring has 2^0 to 2^15 requests, not 2^%d".formatted(logRequests));
    }
    if (logStride < MIN_LOG_STRIDE || logStride > MAX_LOG_STRIDE) {
      throw new IllegalArgumentException(
          "a receive request has 2^4 to 2^11 bytes, not 2^%d".formatted(logStride));
    }
  }

  /** A queue without signatures that its doorbell record enables. */
  public ReceiveRingLayout(
      long address, int logRequests, int logStride, int qpn, long doorbellRecord, int startIndex) {
    this(address, logRequests, logStride, qpn, doorbellRecord, startIndex, false, false);
  }

  /** Bytes in front of a request's segments. */
  int headBytes() {
    return signed ? ReceiveSignatureSegment.BYTES : 0;
  }

  /**
   * Binary logarithm of the stride that requests with the given number of segments need.
   *
   * @param maxScatter segments of a request, 1 … 128
   * @param signed as of a layout
   */
  public static int logStride(int maxScatter, boolean signed) {
    int head = signed ? ReceiveSignatureSegment.BYTES : 0;
    int bytes = head + Math.max(1, maxScatter) * DataSegment.BYTES;
    return Sizes.log2Ceiling(bytes);
  }
}
