package dev.bluebell.lab.storm;

import dev.bluebell.hca.Hca;
import dev.bluebell.server.remote.SocketProvider;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;

/** The objects that attacks on queues use. */
record Site(Device device, ProtectionDomain domain, CompletionQueue completions) {
  private static final int ENTRIES = 4096;

  static Site open(String name) {
    Device device = Device.open(name);
    return new Site(
        device, device.allocateProtectionDomain(), device.createCompletionQueue(ENTRIES));
  }

  /** Creates a queue pair that is connected to itself. */
  RcQueuePair loop(ConnectOptions options) {
    RcQueuePair queue = domain.rcQueuePair(completions).sendQueue(64).create();
    queue.connect(queue.endpoint(), options);
    return queue;
  }

  /** Opens the device without the driver; each call makes a connection. */
  static Hca hca(String name) {
    return new SocketProvider().open(name).orElseThrow();
  }
}
