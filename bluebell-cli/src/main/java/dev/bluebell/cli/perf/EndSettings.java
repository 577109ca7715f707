package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import org.jspecify.annotations.Nullable;

/**
 * What an end of a connection is made of.
 *
 * @param device that the domain is of
 * @param requests where requests complete
 * @param receives where receive requests complete
 * @param sendRequests size of the send queue
 * @param gather entries that a request may have
 * @param inline bytes of data that a request may have inside
 * @param receiveRequests receive requests that the end has outstanding; 0 for none
 * @param options how it connects
 * @param shared what it receives from with others; null for a queue of its own
 * @param tags what all receive from by tags; null for none
 * @param copies whether its requests may be copies from memory to memory
 */
record EndSettings(
    Device device,
    ProtectionDomain domain,
    CompletionQueue requests,
    CompletionQueue receives,
    int sendRequests,
    int gather,
    int inline,
    int receiveRequests,
    ConnectOptions options,
    @Nullable SharedReceiveQueue shared,
    @Nullable TagMatchingReceiveQueue tags,
    boolean copies) {
  /**
   * ACK timeout on a fabric that loses packets on purpose: code 10 stands for 4 ms, where the
   * default's 67 ms for each packet that is lost at the end of a burst would be all that is
   * measured. On a network, it would end connections whose peer gets no processor for 34 ms.
   */
  private static final int LOSSY_TIMEOUT = 10;

  /** How ends of a device connect. */
  static ConnectOptions options(Device device) {
    return FabricLine.isLossy(device.diagnosis())
        ? ConnectOptions.DEFAULT.withTimeout(LOSSY_TIMEOUT)
        : ConnectOptions.DEFAULT;
  }

  /** What the end shares, or a shared receive queue of its own, for kinds that have no others. */
  SharedReceiveQueue sharedReceives() {
    return shared == null
        ? domain.sharedReceiveQueue().requests(Math.max(1, receiveRequests)).create()
        : shared;
  }
}
