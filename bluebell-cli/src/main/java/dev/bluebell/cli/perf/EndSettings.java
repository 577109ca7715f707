package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairBuilder;
import dev.bluebell.verbs.ReceivingQueuePairBuilder;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import org.jspecify.annotations.Nullable;

/**
 * What an end of a connection is made of.
 *
 * @param device that the domain is of
 * @param requests where requests complete
 * @param receives where receive requests complete
 * @param operation that its requests are of
 * @param sendRequests size of the send queue
 * @param inline bytes of data that a request may have inside
 * @param receiveRequests receive requests that the end has outstanding; 0 for none
 * @param options how it connects
 * @param shared what it receives from with others; null for a queue of its own
 * @param tags what all receive from by tags; null for none
 */
record EndSettings(
    Device device,
    ProtectionDomain domain,
    CompletionQueue requests,
    CompletionQueue receives,
    PerfOperation operation,
    int sendRequests,
    int inline,
    int receiveRequests,
    ConnectOptions options,
    @Nullable SharedReceiveQueue shared,
    @Nullable TagMatchingReceiveQueue tags) {
  /**
   * ACK timeout on a fabric that loses packets on purpose: code 10 stands for 4 ms, where the
   * default's 67 ms for each packet that is lost at the end of a burst would be all that is
   * measured. On a network, it would end connections whose peer gets no processor for 34 ms.
   */
  private static final int LOSSY_TIMEOUT = 10;

  /** An end with a receive queue of its own. */
  EndSettings(
      Device device,
      ProtectionDomain domain,
      CompletionQueue requests,
      CompletionQueue receives,
      PerfOperation operation,
      int sendRequests,
      int inline,
      int receiveRequests) {
    this(
        device,
        domain,
        requests,
        receives,
        operation,
        sendRequests,
        inline,
        receiveRequests,
        options(device),
        null,
        null);
  }

  /** How ends of a device connect. */
  static ConnectOptions options(Device device) {
    return FabricLine.isLossy(device.diagnosis())
        ? ConnectOptions.DEFAULT.withTimeout(LOSSY_TIMEOUT)
        : ConnectOptions.DEFAULT;
  }

  /** Describes a send queue. */
  <B extends QueuePairBuilder<B>> B sendQueue(B builder) {
    return builder.sendQueue(sendRequests).maxGather(operation.gather()).maxInline(inline);
  }

  /** Describes a send queue, and a receive queue unless the end shares one. */
  <B extends ReceivingQueuePairBuilder<B>> B queues(B builder) {
    B both = sendQueue(builder).receiveCompletions(receives).receiveQueue(receiveRequests);
    return shared == null ? both : both.receiveFrom(shared);
  }

  /** What the end shares, or a shared receive queue of its own, for kinds that have no others. */
  SharedReceiveQueue sharedReceives() {
    return shared == null
        ? domain.sharedReceiveQueue().requests(Math.max(1, receiveRequests)).create()
        : shared;
  }
}
