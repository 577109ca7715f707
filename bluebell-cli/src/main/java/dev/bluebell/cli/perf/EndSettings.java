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
 * The settings of one end of a connection.
 *
 * @param device device of the domain
 * @param requests completion queue of send requests
 * @param receives completion queue of receive requests
 * @param operation operation of its requests
 * @param sendRequests size of the send queue
 * @param inline most bytes of inline data in a request
 * @param receiveRequests most outstanding receive requests; 0 for none
 * @param shared shared receive queue; null when the end has its own receive queue
 * @param tags tag matching queue that all ends receive from; null for none
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
    @Nullable SharedReceiveQueue shared,
    @Nullable TagMatchingReceiveQueue tags) {
  /**
   * ACK timeout on a fabric that loses packets on purpose: code 10, which is 4 ms. With the default
   * of 67 ms, the measurement would mostly show the timeouts for packets lost at the end of a
   * burst. On a network, 4 ms is too short: it would end connections whose peer gets no processor
   * for 34 ms.
   */
  private static final int LOSSY_TIMEOUT = 10;

  /** Connection options for ends of a device. */
  static ConnectOptions options(Device device) {
    return FabricLine.isLossy(device.diagnosis())
        ? ConnectOptions.DEFAULT.withTimeout(LOSSY_TIMEOUT)
        : ConnectOptions.DEFAULT;
  }

  /** Connection options for this end. */
  ConnectOptions options() {
    return options(device);
  }

  /** Configures a send queue. */
  <B extends QueuePairBuilder<B>> B sendQueue(B builder) {
    return builder.sendQueue(sendRequests).maxGather(operation.gather()).maxInline(inline);
  }

  /** Configures a send queue, and a receive queue unless the end shares one. */
  <B extends ReceivingQueuePairBuilder<B>> B queues(B builder) {
    B both = sendQueue(builder).receiveCompletions(receives).receiveQueue(receiveRequests);
    return shared == null ? both : both.receiveFrom(shared);
  }

  /** The shared receive queue, or a new one: for kinds that receive from shared queues only. */
  SharedReceiveQueue sharedReceives() {
    return shared == null
        ? domain.sharedReceiveQueue().requests(Math.max(1, receiveRequests)).create()
        : shared;
  }
}
