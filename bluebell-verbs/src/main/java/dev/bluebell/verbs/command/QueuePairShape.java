package dev.bluebell.verbs.command;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.value.Sizes;

/**
 * Sizes of a queue pair's queues.
 *
 * @param maxWqeBytes largest send request in bytes, a multiple of 64
 * @param logSendWqebbs binary logarithm of the send queue's WQEBBs
 * @param hasReceiveQueue false for a queue pair that receives nothing
 * @param logReceives binary logarithm of the receive queue's requests
 * @param logReceiveStride binary logarithm of a receive request's bytes
 */
public record QueuePairShape(
    int maxWqeBytes,
    int logSendWqebbs,
    boolean hasReceiveQueue,
    int logReceives,
    int logReceiveStride) {

  /** Returns the smallest queues that are large enough. */
  public static QueuePairShape of(
      ServiceType service,
      QueuePairSizes sizes,
      QueuePairFeatures features,
      DeviceAttributes limits) {
    int wqeBytes = SendRingLayout.wqeBytes(service, sizes.maxGather(), sizes.maxInline());
    if (wqeBytes > limits.maxSendWqeBytes()) {
      throw new IllegalArgumentException(
          ("maxGather(%d) and maxInline(%d) need requests of %d bytes, and the device takes %d:"
                  + " lower the larger of them")
              .formatted(sizes.maxGather(), sizes.maxInline(), wqeBytes, limits.maxSendWqeBytes()));
    }
    int largest = wqeBytes / ControlSegment.WQEBB_BYTES;
    // The fill before a request can be one WQEBB shorter than the request; it needs room beside all
    // requests.
    long wqebbs = (long) sizes.sendRequests() * largest + (features.nopFill() ? largest - 1 : 0);
    if (wqebbs > limits.maxSendWqebbs()) {
      throw new IllegalArgumentException(
          ("sendQueue(%d) needs %d WQEBBs at %d bytes a request, and the device takes %d: ask for"
                  + " fewer or shorter requests")
              .formatted(sizes.sendRequests(), wqebbs, wqeBytes, limits.maxSendWqebbs()));
    }
    if (sizes.receiveRequests() > limits.maxReceiveRequests()) {
      throw new IllegalArgumentException(
          "receiveQueue(%d) is more than the %d requests that the device takes"
              .formatted(sizes.receiveRequests(), limits.maxReceiveRequests()));
    }
    int logStride = ReceiveRingLayout.logStride(sizes.maxScatter(), features.signatures());
    if (1 << logStride > limits.maxReceiveWqeBytes()) {
      throw new IllegalArgumentException(
          "maxScatter(%d) needs requests of %d bytes, and the device takes %d"
              .formatted(sizes.maxScatter(), 1 << logStride, limits.maxReceiveWqeBytes()));
    }
    boolean receives = sizes.receiveRequests() > 0;
    return new QueuePairShape(
        wqeBytes,
        Sizes.log2Ceiling((int) wqebbs),
        receives,
        receives ? logReceives(sizes.receiveRequests(), logStride) : 0,
        logStride);
  }

  /** The send queue behind the receive queue starts at a multiple of 64 bytes. */
  private static int logReceives(int requests, int logStride) {
    int logBlock = Sizes.log2Ceiling(ControlSegment.WQEBB_BYTES);
    return Math.max(Sizes.log2Ceiling(requests), logBlock - logStride);
  }

  /** Bytes of the receive queue, 0 without one. */
  public int receiveBytes() {
    return hasReceiveQueue ? 1 << logReceives + logReceiveStride : 0;
  }

  /** Bytes of the send queue. */
  public int sendBytes() {
    return ControlSegment.WQEBB_BYTES << logSendWqebbs;
  }

  /** Bytes of both queues. */
  public int bytes() {
    return receiveBytes() + sendBytes();
  }
}
