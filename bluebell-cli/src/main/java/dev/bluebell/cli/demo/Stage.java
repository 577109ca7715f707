package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import java.util.function.UnaryOperator;

/** What the steps of the tour play on: a device, and a stopwatch for what is worth timing. */
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
   * Opens another software device, for a step that needs one with an option.
   *
   * @throws NeedsSoftware when the stage is on another kind of device, of which it would show
   *     nothing
   */
  Device open(String option) {
    if (!device.name().equals(SOFTWARE)) {
      throw new NeedsSoftware(option);
    }
    return Device.open("%s:%s".formatted(SOFTWARE, option));
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Memory that peers may do everything to. */
  MemoryRegion memory(long bytes) {
    return domain.allocate(bytes, Access.rights());
  }

  /** A connected pair with default queues and 16 KiB of memory on each side. */
  Pair pair() {
    return pair(MEMORY_BYTES, builder -> builder, ConnectOptions.DEFAULT);
  }

  /** A connected pair whose queue pairs are built with options. */
  Pair pair(UnaryOperator<RcQueuePairBuilder> options) {
    return pair(MEMORY_BYTES, options, ConnectOptions.DEFAULT);
  }

  /** A connected pair. */
  Pair pair(long bytes, UnaryOperator<RcQueuePairBuilder> options, ConnectOptions connect) {
    Side left = side(bytes, options);
    Side right = side(bytes, options);
    connect(left.queuePair(), right.queuePair(), connect);
    return new Pair(left, right);
  }

  /** A side that is not connected. */
  Side side(long bytes, UnaryOperator<RcQueuePairBuilder> options) {
    CompletionQueue completions = device.createCompletionQueue(ENTRIES);
    RcQueuePair queuePair = options.apply(domain.rcQueuePair(completions)).create();
    return new Side(queuePair, completions, memory(bytes));
  }

  /** A completion queue and 16 KiB of memory. */
  Place place() {
    return new Place(device.createCompletionQueue(ENTRIES), memory(MEMORY_BYTES));
  }

  static void connect(RcQueuePair left, RcQueuePair right, ConnectOptions options) {
    left.connect(right.endpoint(), options);
    right.connect(left.endpoint(), options);
  }

  /** Starts the stopwatch anew. */
  void start() {
    nanos = 0;
    start = System.nanoTime();
  }

  /** Stops the stopwatch. */
  void stop() {
    nanos = System.nanoTime() - start;
  }

  /** What the stopwatch shows. */
  long nanos() {
    return nanos;
  }
}
