package dev.bluebell.cli.demo;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Functions of the device and its objects other than moving data. */
final class DeviceSteps {
  private static final int MANY = 500;

  private DeviceSteps() {}

  /** Exchanges endpoints as bytes and as text, for any means of transport. */
  static String exchange(Stage stage) {
    Side left = stage.side(4096);
    Side right = stage.side(4096);
    left.fill(0, 64, 40);
    stage.start();
    QueuePairEndpoint ofLeft = QueuePairEndpoint.of(left.queuePair().endpoint().bytes());
    QueuePairEndpoint ofRight = QueuePairEndpoint.parse(right.queuePair().endpoint().toString());
    left.queuePair().connect(ofRight, ConnectOptions.DEFAULT.withPathMtu(1024));
    right.queuePair().connect(ofLeft, ConnectOptions.DEFAULT.withPathMtu(1024));
    stage.stop();
    Check.equal("the path MTU", 1024, left.queuePair().query().pathMtu());
    left.queuePair().write(right.remote(0)).gather(left.region(), 0, 64).signaled(0);
    left.ringAndAwait();
    right.expect(0, 64, 40);
    return "%d B or text".formatted(QueuePairEndpoint.BYTES);
  }

  /** Registers memory that the process already has: a direct buffer. */
  static String registration(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    left.fill(0, 4096, 41);
    stage.start();
    try (MemoryRegion region =
        stage
            .domain()
            .register(MemorySegment.ofBuffer(buffer), Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
      left.queuePair()
          .write(region.address(), region.rkey())
          .gather(left.region(), 0, 4096)
          .signaled(0);
      left.ringAndAwait();
    }
    stage.stop();
    pair.right().segment().asSlice(0, 4096).copyFrom(MemorySegment.ofBuffer(buffer));
    pair.right().expect(0, 4096, 41);
    return "4 KiB";
  }

  /** Hundreds of connections, with a message on each. */
  static String many(Stage stage) {
    CompletionQueue completions = stage.device().createCompletionQueue(4 * MANY);
    MemoryRegion memory = stage.memory(2L * MANY * Long.BYTES);
    List<RcQueuePair> queuePairs = new ArrayList<>();
    stage.start();
    for (int i = 0; i < 2 * MANY; i++) {
      queuePairs.add(stage.domain().rcQueuePair(completions).sendQueue(4).receiveQueue(4).create());
    }
    for (int i = 0; i < 2 * MANY; i += 2) {
      Stage.connect(queuePairs.get(i), queuePairs.get(i + 1));
    }
    for (int i = 0; i < 2 * MANY; i++) {
      byte[] message = ByteBuffer.allocate(Long.BYTES).putLong(i + 1).array();
      queuePairs
          .get(i)
          .write(memory.address() + (long) i * Long.BYTES, memory.rkey())
          .inline(message, 0, message.length)
          .signaled(i);
      queuePairs.get(i).ringDoorbell();
    }
    Side side = new Side(queuePairs.getFirst(), completions, memory);
    for (int i = 0; i < 2 * MANY; i++) {
      side.await();
    }
    stage.stop();
    for (int i = 0; i < 2 * MANY; i++) {
      long found = memory.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES);
      Check.equal("message %d".formatted(i), Long.reverseBytes(i + 1), found);
    }
    queuePairs.forEach(RcQueuePair::close);
    return "%d x 8 B".formatted(2 * MANY);
  }

  /** The flight recorder, here with room for 64 entries. */
  static String record(Stage stage) {
    try (Device device = stage.open("recorder=64")) {
      RdmaSteps.write(new Stage(device));
      stage.start();
      List<String> lines = device.diagnosis().map(HcaDiagnosis::flightRecord).orElse(List.of());
      stage.stop();
      Check.that(!lines.isEmpty(), "the flight recorder is empty");
      return "%d events".formatted(lines.size());
    }
  }
}
