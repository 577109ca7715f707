package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.MemoryRegion;
import java.time.Duration;

/** SENDs and the ways to receive them. */
final class SendSteps {
  private static final int BYTES = 64;
  private static final int IMMEDIATE = 0xcafe0102;

  private SendSteps() {}

  static String send(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, BYTES, 1);
    right.postReceive(7, 1024, 256);
    stage.start();
    left.queuePair().send().gather(left.region(), 0, BYTES).signaled(5);
    left.queuePair().ringDoorbell();
    Completion received = right.await();
    Check.equal("the id of the SEND", 5L, left.await().id());
    stage.stop();
    Check.equal("the id of the receive", 7L, received.id());
    Check.equal("the byte count", BYTES, received.byteCount());
    right.expect(1024, BYTES, 1);
    right.expectUntouched(1024 + BYTES, 256);
    return "64 B";
  }

  static String sendImmediate(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, BYTES, 2);
    right.postReceive(0, 0, BYTES);
    stage.start();
    left.queuePair().sendImmediate(IMMEDIATE).gather(left.region(), 0, BYTES).signaled(0);
    left.queuePair().ringDoorbell();
    Completion received = right.await();
    stage.stop();
    Check.that(received.hasImmediate(), "the receive completion has no immediate");
    Check.equal("the immediate", IMMEDIATE, received.immediate());
    right.expect(0, BYTES, 2);
    return "64 B + imm";
  }

  static String sendInvalidate(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, BYTES, 3);
    right.postReceive(0, 0, BYTES);
    MemoryRegion region = stage.memory(BYTES);
    int key = region.rkey();
    stage.start();
    left.queuePair().sendInvalidate(key).gather(left.region(), 0, BYTES).signaled(0);
    left.queuePair().ringDoorbell();
    Completion received = right.await();
    stage.stop();
    Check.that(received.hasInvalidatedRkey(), "the receive completion names no key");
    Check.equal("the invalidated key", key, received.invalidatedRkey());
    right.expect(0, BYTES, 3);
    left.await();
    left.queuePair().write(region.remote()).gather(left.region(), 0, BYTES).signaled(1);
    left.queuePair().ringDoorbell();
    Check.equal(
        "the status of a WRITE with the key",
        CompletionStatus.REMOTE_ACCESS_ERROR,
        left.awaitAny().status());
    return "64 B + key";
  }

  /** The peer answers "receiver not ready"; the device retries, unseen by the application. */
  static String receiverNotReady(Stage stage) throws InterruptedException {
    // RNR timer 0.64 ms, unlimited retries.
    Pair pair = stage.pair(4096, ConnectOptions.DEFAULT.withMinRnrTimer(12));
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, BYTES, 5);
    stage.start();
    left.send(BYTES);
    boolean early = left.completions().awaitCompletions(Duration.ofMillis(3));
    Check.that(!early, "the SEND completed before there was a receive");
    right.postReceive(0, 0, BYTES);
    right.await();
    left.await();
    stage.stop();
    right.expect(0, BYTES, 5);
    return "64 B, 3 ms late";
  }
}
