package dev.bluebell.cli.demo;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CqeCompression;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Completions that the device writes several at a time. Messages with immediate go three times
 * round a completion queue, and each arrives once, in order.
 */
final class CompressionSteps {
  private static final int ENTRIES = 256;
  private static final int ROUNDS = 24;
  private static final int AT_ONCE = 32;
  private static final int BYTES = 64;
  private static final int OP_OWN = Cqe.BYTES - 1;

  private CompressionSteps() {}

  static String compressed(Stage stage) {
    stage.requireSoftware("engine=poll");
    try (Scene scene = new Scene()) {
      CompletionQueue completions = scene.stage().compressed(ENTRIES, CqeCompression.BASIC);
      MemorySegment ring = scene.ring(completions);
      Side right =
          scene
              .stage()
              .side(completions, AT_ONCE * BYTES, builder -> builder.receiveQueue(AT_ONCE));
      Side left = scene.stage().side(AT_ONCE * BYTES);
      Stage.connect(left.queuePair(), right.queuePair());
      int blocks = 0;
      stage.start();
      for (int round = 0; round < ROUNDS; round++) {
        send(left, right, round);
        scene.settle();
        blocks += blocks(ring);
        for (int i = 0; i < AT_ONCE; i++) {
          Completion done = right.await();
          Check.equal("the immediate", round, done.immediate());
          Check.equal("the id", (long) i, done.id());
          Check.equal("the byte count", length(i), done.byteCount());
          right.expect((long) i * BYTES, length(i), seed(round, i));
        }
        left.await();
      }
      stage.stop();
      Check.that(blocks > 0, "no entry of %s was compressed".formatted(completions));
      return "%d in %d blocks".formatted(ROUNDS * AT_ONCE, blocks);
    }
  }

  private static void send(Side left, Side right, int round) {
    for (int i = 0; i < AT_ONCE; i++) {
      right.queuePair().receive().empty().post(i);
    }
    right.queuePair().ringReceiveDoorbell();
    for (int i = 0; i < AT_ONCE; i++) {
      long offset = (long) i * BYTES;
      left.fill(offset, length(i), seed(round, i));
      var request =
          left.queuePair()
              .writeImmediate(right.remote(offset), round)
              .gather(left.region(), offset, length(i));
      if (i == AT_ONCE - 1) {
        request.signaled(i);
      } else {
        request.unsignaled(i);
      }
    }
    left.queuePair().ringDoorbell();
  }

  /** Each message has a different length, which its mini completion reports. */
  private static int length(int message) {
    return BYTES - message;
  }

  private static int seed(int round, int message) {
    return round * AT_ONCE + message;
  }

  /** Number of compressed entries in the ring; the driver must not have polled them yet. */
  private static int blocks(MemorySegment ring) {
    int found = 0;
    for (long entry = 0; entry < ENTRIES; entry++) {
      int opOwn = ring.get(ValueLayout.JAVA_BYTE, entry * Cqe.BYTES + OP_OWN);
      found += (opOwn & Cqe.FORMAT_MASK) == Cqe.FORMAT_MASK ? 1 : 0;
    }
    return found;
  }
}
