package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.ConnectedQueuePair;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import java.util.function.UnaryOperator;

/** The setting for the steps of the tour: a device, and a stopwatch. */
final class Stage {
  private static final int MEMORY_BYTES = 16384;
  private static final int ENTRIES = 256;
  private static final String SOFTWARE = "soft";

  private final Device device;
  private final ProtectionDomain domain;
  private long start;
  private long nanos;

  Stage(Device device) {
    this.device = device;
    domain = device.allocateProtectionDomain();
  }

  Device device() {
    return device;
  }

  /**
   * Opens another software device, for a step that needs an option.
   *
   * @throws NeedsSoftware when the stage is on another kind of device, about which a software
   *     device shows nothing
   */
  Device open(String option) {
    requireSoftware(option);
    return Device.open("%s:%s".formatted(SOFTWARE, option));
  }

  /**
   * Checks that this is the embedded software device, for a step that works on another one of its
   * own.
   *
   * @param option of that device
   * @throws NeedsSoftware when the stage is on another kind of device
   */
  void requireSoftware(String option) {
    if (!isEmbedded()) {
      throw new NeedsSoftware(option);
    }
  }

  /** Whether the stage is on the embedded software device. */
  boolean isEmbedded() {
    return device.name().equals(SOFTWARE);
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Memory with all rights for peers. */
  MemoryRegion memory(long bytes) {
    return domain.allocate(bytes, Access.rights());
  }

  /** A connected pair with default queues and 16 KiB of memory on each side. */
  Pair pair() {
    return pair(MEMORY_BYTES, ConnectOptions.DEFAULT);
  }

  /** A connected pair whose queue pairs have the given options. */
  Pair pair(UnaryOperator<RcQueuePairBuilder> options) {
    return pair(side(MEMORY_BYTES, options), side(MEMORY_BYTES, options), ConnectOptions.DEFAULT);
  }

  /** A connected pair with {@code bytes} of memory on each side. */
  Pair pair(long bytes, ConnectOptions options) {
    return pair(side(bytes), side(bytes), options);
  }

  /** Connects two existing sides. */
  static Pair pair(Side left, Side right, ConnectOptions options) {
    connect(left.queuePair(), right.queuePair(), options);
    return new Pair(left, right);
  }

  /** An unconnected side. */
  Side side(long bytes) {
    return side(bytes, builder -> builder);
  }

  /** An unconnected side whose queue pair has the given options. */
  Side side(long bytes, UnaryOperator<RcQueuePairBuilder> options) {
    return side(device.createCompletionQueue(ENTRIES), bytes, options);
  }

  /** An unconnected side with its completions in an existing queue. */
  Side side(CompletionQueue completions, long bytes, UnaryOperator<RcQueuePairBuilder> options) {
    RcQueuePair queuePair = options.apply(domain.rcQueuePair(completions)).create();
    return new Side(queuePair, completions, memory(bytes));
  }

  /** A completion queue in which the device compresses completions. */
  CompletionQueue compressed(int entries, CqeCompression layout) {
    return device.createCompletionQueue(
        entries, CompletionQueueOptions.DEFAULT.withCompression(layout));
  }

  /** A completion queue and 16 KiB of memory. */
  Place place() {
    return new Place(device.createCompletionQueue(ENTRIES), memory(MEMORY_BYTES));
  }

  /** A queue pair that is connected to another; both complete on one queue. */
  RcQueuePair connected(CompletionQueue completions) {
    RcQueuePair left = domain.rcQueuePair(completions).create();
    connect(left, domain.rcQueuePair(completions).create());
    return left;
  }

  static void connect(ConnectedQueuePair left, ConnectedQueuePair right) {
    connect(left, right, ConnectOptions.DEFAULT);
  }

  static void connect(ConnectedQueuePair left, ConnectedQueuePair right, ConnectOptions options) {
    left.connect(right.endpoint(), options);
    right.connect(left.endpoint(), options);
  }

  /** Connects a queue pair to itself. */
  static <Q extends CrossChannelQueuePair> Q looped(Q queuePair) {
    queuePair.connect(queuePair.endpoint());
    return queuePair;
  }

  /** Restarts the stopwatch. */
  void start() {
    nanos = 0;
    start = System.nanoTime();
  }

  /** Stops the stopwatch. */
  void stop() {
    nanos = System.nanoTime() - start;
  }

  /** The time between start and stop. */
  long nanos() {
    return nanos;
  }
}
