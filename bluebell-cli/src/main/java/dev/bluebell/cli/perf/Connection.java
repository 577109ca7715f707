package dev.bluebell.cli.perf;

import dev.bluebell.cli.FabricLine;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;

/** Two queue pairs of one device, connected to each other. */
record Connection(RcQueuePair left, RcQueuePair right) {
  private static final int MAX_RECEIVES = 1 << 15;

  /**
   * ACK timeout on a fabric that loses packets: code 10 stands for 4 ms, where the default's 67 ms
   * for each packet that is lost at the end of a burst would be all that is measured.
   */
  private static final int LOSSY_TIMEOUT = 10;

  /** Connects two queue pairs of a device. */
  static void connect(Device device, RcQueuePair left, RcQueuePair right) {
    ConnectOptions options =
        FabricLine.of(device.diagnosis()).isPresent()
            ? ConnectOptions.DEFAULT.withTimeout(LOSSY_TIMEOUT)
            : ConnectOptions.DEFAULT;
    left.connect(right.endpoint(), options);
    right.connect(left.endpoint(), options);
  }

  /**
   * Creates and connects both.
   *
   * @param receiving whether messages need receive requests
   */
  static Connection create(
      Device device,
      ProtectionDomain domain,
      CompletionQueue requests,
      CompletionQueue receives,
      PerfPlan plan,
      boolean receiving) {
    RcQueuePair left = builder(domain, requests, receives, plan, receiving).create();
    RcQueuePair right = builder(domain, requests, receives, plan, receiving).create();
    connect(device, left, right);
    return new Connection(left, right);
  }

  private static RcQueuePairBuilder builder(
      ProtectionDomain domain,
      CompletionQueue requests,
      CompletionQueue receives,
      PerfPlan plan,
      boolean receiving) {
    RcQueuePairBuilder builder =
        domain
            .rcQueuePair(requests)
            .receiveCompletions(receives)
            .sendQueue(plan.depth())
            .receiveQueue(receiving ? Math.min(MAX_RECEIVES, 2 * plan.depth()) : 0);
    return plan.inline() ? builder.maxInline(plan.size()) : builder;
  }
}
