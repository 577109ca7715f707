package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.WorkOpcode;

/** RDMA WRITEs and READs. */
final class RdmaSteps {
  private RdmaSteps() {}

  static String write(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 256, 10);
    stage.start();
    left.queuePair().write(right.remote(512)).gather(left.region(), 0, 256).signaled(0);
    left.ringAndAwait();
    stage.stop();
    right.expect(512, 256, 10);
    right.expectUntouched(0, 512);
    right.expectUntouched(768, 1024);
    return "256 B";
  }

  static String writeImmediate(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 256, 11);
    right.queuePair().receive().empty().post(3);
    right.queuePair().ringReceiveDoorbell();
    stage.start();
    left.queuePair()
        .writeImmediate(right.remote(0), 0x01020304)
        .gather(left.region(), 0, 256)
        .signaled(0);
    left.queuePair().ringDoorbell();
    Completion received = right.await();
    stage.stop();
    Check.equal("the opcode", WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, received.opcode());
    Check.equal("the immediate", 0x01020304, received.immediate());
    Check.equal("the byte count", 256, received.byteCount());
    right.expect(0, 256, 11);
    return "256 B + imm";
  }

  static String read(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    right.fill(100, 1000, 12);
    stage.start();
    left.queuePair()
        .read(right.remote(100))
        .scatter(left.region(), 0, 400)
        .scatter(left.region(), 4096, 600)
        .signaled(0);
    left.ringAndAwait();
    stage.stop();
    left.segment().asSlice(400, 600).copyFrom(left.segment().asSlice(4096, 600));
    left.expect(0, 1000, 12);
    return "1000 B, to 2";
  }
}
