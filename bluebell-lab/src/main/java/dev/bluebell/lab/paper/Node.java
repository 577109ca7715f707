package dev.bluebell.lab.paper;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.function.Function;

/** A host of a {@link Testbed}: a protection domain, and the objects in it. */
final class Node {
  /** RedN's connections have one outstanding READ or atomic. */
  static final ConnectOptions ONE_READ = ConnectOptions.DEFAULT.withMaxReads(1);

  private static final Access[] ALL = {
    Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
  };
  private static final int SENDS = 256;
  private static final int RECEIVES = 64;
  private static final int COMPLETIONS = 512;

  private final Device device;
  private final ProtectionDomain domain;

  Node(Device device) {
    this.device = device;
    domain = device.allocateProtectionDomain();
  }

  ProtectionDomain domain() {
    return domain;
  }

  MemoryRegion memory(int bytes) {
    return domain.allocate(bytes, ALL);
  }

  private Queue queue(Function<CrossChannelBuilder, CrossChannelQueuePair> create) {
    CompletionQueue sends = device.createCompletionQueue(COMPLETIONS);
    CompletionQueue receives = device.createCompletionQueue(COMPLETIONS);
    CrossChannelBuilder builder =
        domain
            .rcQueuePair(sends)
            .receiveCompletions(receives)
            .sendQueue(SENDS)
            .receiveQueue(RECEIVES)
            .maxGather(3)
            .crossChannel();
    return new Queue(create.apply(builder), sends, receives);
  }

  /** A queue pair that is started by its doorbell. */
  Queue master() {
    return queue(CrossChannelBuilder::create);
  }

  /** A queue pair whose requests are enabled by another one. */
  Queue managed() {
    return queue(builder -> builder.managedSends().create());
  }

  /** As {@link #master}, connected to itself. */
  Queue loopedMaster() {
    return looped(master(), ConnectOptions.DEFAULT);
  }

  /** As {@link #managed}, connected to itself. */
  Queue loopedManaged() {
    return looped(managed(), ConnectOptions.DEFAULT);
  }

  static Queue looped(Queue queue, ConnectOptions options) {
    queue.pair().connect(queue.pair().endpoint(), options);
    return queue;
  }
}
