package dev.bluebell.cli.perf;

import dev.bluebell.cli.FabricLine;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.WriteOperations;

/** Sends by a reliable connection. */
final class RcRequester extends Requester {
  /**
   * ACK timeout on a fabric that loses packets: code 10 stands for 4 ms, where the default's 67 ms
   * for each packet that is lost at the end of a burst would be all that is measured.
   */
  private static final int LOSSY_TIMEOUT = 10;

  private final RcQueuePair queuePair;

  private RcRequester(RcQueuePair queuePair) {
    this.queuePair = queuePair;
  }

  static Connection connect(Device device, EndSettings leftSettings, EndSettings rightSettings) {
    RcQueuePair left = create(leftSettings);
    RcQueuePair right = create(rightSettings);
    ConnectOptions options = options(device);
    left.connect(right.endpoint(), options);
    right.connect(left.endpoint(), options);
    return new Connection(end(left, leftSettings), end(right, rightSettings));
  }

  /** How connections are made on a device. */
  static ConnectOptions options(Device device) {
    return FabricLine.of(device.diagnosis()).isPresent()
        ? ConnectOptions.DEFAULT.withTimeout(LOSSY_TIMEOUT)
        : ConnectOptions.DEFAULT;
  }

  private static End end(RcQueuePair queuePair, EndSettings settings) {
    return new End(new RcRequester(queuePair), receives(queuePair, settings), queuePair.number());
  }

  private static RcQueuePair create(EndSettings settings) {
    RcQueuePairBuilder builder =
        settings
            .domain()
            .rcQueuePair(settings.requests())
            .receiveCompletions(settings.receives())
            .sendQueue(settings.sendRequests())
            .receiveQueue(settings.receiveRequests())
            .maxInline(settings.inline());
    return (settings.shared() == null ? builder : builder.receiveFrom(settings.shared())).create();
  }

  private static ReceiveQueue receives(RcQueuePair queuePair, EndSettings settings) {
    return settings.shared() == null
        ? new ReceiveQueue(
            queuePair::receive,
            queuePair::ringReceiveDoorbell,
            queuePair::freeReceives,
            queuePair.receiveQueueRequests())
        : ReceiveQueue.of(settings.shared(), settings);
  }

  @Override
  MessageOperations messages() {
    return queuePair;
  }

  @Override
  WriteOperations writes() {
    return queuePair;
  }

  @Override
  ReliableOperations reliable() {
    return queuePair;
  }

  @Override
  RequestModifiers nop() {
    return queuePair.nop();
  }

  @Override
  void ringDoorbell() {
    queuePair.ringDoorbell();
  }
}
