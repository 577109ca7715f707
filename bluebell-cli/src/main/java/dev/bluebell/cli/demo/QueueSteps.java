package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.WorkOpcode;

/** Features of a send queue that apply to all requests. */
final class QueueSteps {
  private QueueSteps() {}

  static String nop(Stage stage) {
    Pair pair = stage.pair();
    stage.start();
    pair.left().queuePair().nop().signaled(9);
    pair.left().queuePair().ringDoorbell();
    Completion done = pair.left().await();
    stage.stop();
    Check.equal("the opcode", WorkOpcode.NOP, done.opcode());
    Check.equal("the id", 9L, done.id());
    return "";
  }

  static String unsignaled(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 64 * 64, 20);
    stage.start();
    for (int i = 0; i < 64; i++) {
      var request =
          left.queuePair().write(right.remote(64L * i)).gather(left.region(), 64L * i, 64);
      if (i == 63) {
        request.signaled(i);
      } else {
        request.unsignaled(i);
      }
    }
    left.queuePair().ringDoorbell();
    Completion done = left.await();
    stage.stop();
    Check.equal("the id of the only completion", 63L, done.id());
    Check.equal(
        "the free WQEBBs", left.queuePair().sendQueueWqebbs(), left.queuePair().freeWqebbs());
    right.expect(0, 64 * 64, 20);
    return "64 x 64 B";
  }

  /**
   * A WRITE after a READ sends the data that the READ brought. The embedded device executes one
   * request after another unless packets travel between its queue pairs, so the step opens another
   * one on which they do.
   */
  static String fence(Stage stage) {
    if (stage.isEmbedded()) {
      try (Device device = stage.open("loss=0%")) {
        return fence(stage, new Stage(device).pair());
      }
    }
    return fence(stage, stage.pair());
  }

  private static String fence(Stage stage, Pair pair) {
    Side left = pair.left();
    Side right = pair.right();
    right.fill(0, 4096, 21);
    stage.start();
    left.queuePair().read(right.remote(0)).scatter(left.region(), 0, 4096).unsignaled(0);
    left.queuePair().write(right.remote(8192)).gather(left.region(), 0, 4096).fence().signaled(1);
    left.ringAndAwait();
    stage.stop();
    right.expect(8192, 4096, 21);
    return "4 KiB and back";
  }

  /** A queue pair in the error state flushes; after a reset it connects and works again. */
  static String recovery(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    right.postReceive(1, 0, 64);
    stage.start();
    right.queuePair().toError();
    Check.equal(
        "the status of the flushed receive",
        CompletionStatus.WORK_REQUEST_FLUSHED,
        right.awaitAny().status());
    left.queuePair().reset();
    right.queuePair().reset();
    Stage.connect(left.queuePair(), right.queuePair());
    Check.equal("the state", QueuePairState.RTS, left.queuePair().query().state());
    left.fill(0, 64, 22);
    right.postReceive(2, 0, 64);
    left.send(64);
    Check.equal("the id of the receive", 2L, right.await().id());
    stage.stop();
    right.expect(0, 64, 22);
    return "64 B";
  }

  /**
   * Short messages and responses arrive inside completions, and the driver copies them to their
   * place.
   */
  static String dataInCompletions(Stage stage) throws InterruptedException {
    Pair pair = stage.pair(builder -> builder.scatterToCqe(32).inlineReceive(32));
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 32, 23);
    right.fill(4096, 32, 24);
    right.postReceive(0, 0, 32);
    stage.start();
    left.queuePair().send().gather(left.region(), 0, 32).unsignaled(0);
    left.queuePair().read(right.remote(4096)).scatter(left.region(), 4096, 32).signaled(0);
    left.queuePair().ringDoorbell();
    awaitUnpolled(right);
    right.expectUntouched(0, 32);
    right.await();
    awaitUnpolled(left);
    left.expectUntouched(4096, 32);
    left.await();
    stage.stop();
    right.expect(0, 32, 23);
    left.expect(4096, 32, 24);
    return "2 x 32 B";
  }

  /** Waits for a completion, which the driver has not yet looked at. */
  private static void awaitUnpolled(Side side) throws InterruptedException {
    Check.that(side.completions().awaitCompletions(Place.PATIENCE), "nothing completed");
  }
}
