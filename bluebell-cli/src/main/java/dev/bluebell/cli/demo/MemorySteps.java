package dev.bluebell.cli.demo;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.RELAXED_ORDERING;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;

import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Kinds of memory with special properties. */
final class MemorySteps {
  private static final int BYTES = 4096;
  private static final int ROUNDS = 20;
  private static final long FLAG = 1024;

  private MemorySteps() {}

  /** A WRITE into the device's own memory, and a READ back out of it. */
  static String ofDevice(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    try (DeviceMemory memory = stage.device().allocateDeviceMemory(BYTES);
        MemoryRegion region =
            stage.domain().register(memory, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ)) {
      left.fill(0, BYTES, 42);
      stage.start();
      left.queuePair().write(region.remote()).gather(left.region(), 0, BYTES).unsignaled(0);
      left.queuePair().read(region.remote()).scatter(left.region(), 8192, BYTES).signaled(0);
      left.ringAndAwait();
      stage.stop();
      byte[] copy = new byte[BYTES];
      memory.copyTo(0, MemorySegment.ofArray(copy), 0, BYTES);
      Check.that(
          left.segment().asSlice(0, BYTES).mismatch(MemorySegment.ofArray(copy)) < 0,
          "the device's memory does not hold what was written");
    }
    left.expect(8192, BYTES, 42);
    return "2 x 4 KiB";
  }

  /** A queue pair copies memory by itself, without a peer. */
  static String copy(Stage stage) {
    Pair pair = stage.pair(builder -> builder.maxGather(3).memoryCopies(true));
    Side left = pair.left();
    left.fill(0, BYTES, 43);
    stage.start();
    left.queuePair()
        .copyMemory(left.address(0), left.lkey(), left.address(8192), left.lkey(), BYTES)
        .signaled(0);
    left.ringAndAwait();
    stage.stop();
    left.expect(8192, BYTES, 43);
    return "4 KiB";
  }

  /** In memory that shows data out of order, a fenced flag never appears before its data. */
  static String relaxed(Stage stage) {
    try (Device device = stage.open("reorder-memory=20,seed=7")) {
      Stage relaxed = new Stage(device);
      Side left = relaxed.pair().left();
      RcQueuePair queuePair = left.queuePair();
      left.fill(0, 16, 44);
      stage.start();
      for (int i = 0; i < ROUNDS; i++) {
        MemoryRegion inbox =
            relaxed.domain().allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE, RELAXED_ORDERING);
        queuePair.write(inbox.remote()).gather(left.region(), 0, 8).unsignaled(0);
        queuePair
            .write(inbox.remote().slice(FLAG, 8))
            .gather(left.region(), 8, 8)
            .fence()
            .signaled(0);
        queuePair.ringDoorbell();
        long start = System.nanoTime();
        while (word(inbox, FLAG) == 0) {
          Check.that(System.nanoTime() - start < Place.PATIENCE.toNanos(), "the flag did not come");
          device.progress();
        }
        Check.that(word(inbox, 0) != 0, "the flag came before its data");
        left.await();
      }
      stage.stop();
    }
    return "20 x 8 B + flag";
  }

  private static long word(MemoryRegion memory, long offset) {
    return (long) ValueLayout.JAVA_LONG.varHandle().getAcquire(memory.segment(), offset);
  }
}
