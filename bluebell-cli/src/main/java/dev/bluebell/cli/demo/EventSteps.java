package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.WorkFailed;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting without spinning. */
final class EventSteps {
  private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private EventSteps() {}

  /** The waiting thread sleeps until another thread sends, some time later. */
  static String completion(Stage stage) throws InterruptedException {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 64, 30);
    right.postReceive(0, 0, 64);
    Thread sender =
        Thread.ofPlatform()
            .daemon()
            .unstarted(
                () -> {
                  LockSupport.parkNanos(DELAY_NANOS);
                  left.send(64);
                });
    Sleep sleep = new Sleep();
    stage.start();
    sender.start();
    sleep.until(right.completions());
    stage.stop();
    sender.join();
    right.await();
    left.await();
    right.expect(0, 64, 30);
    return sleep.toString();
  }

  /** Only a message that asks for an event causes one. */
  static String solicited(Stage stage) throws InterruptedException {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 64, 31);
    for (int i = 0; i < 3; i++) {
      right.postReceive(i, 64L * i, 64);
    }
    right.completions().arm(true);
    stage.start();
    for (int i = 0; i < 2; i++) {
      left.queuePair().send().gather(left.region(), 0, 64).signaled(i);
    }
    left.ringAndAwait();
    left.await();
    if (right.completions().awaitEvent(Duration.ofMillis(2))) {
      throw new WorkFailed("a message that was not solicited caused an event");
    }
    left.queuePair().send().gather(left.region(), 0, 64).solicited().signaled(2);
    left.queuePair().ringDoorbell();
    boolean came = right.completions().awaitEvent(Place.PATIENCE);
    stage.stop();
    Check.that(came, "the solicited message caused no event");
    for (int i = 0; i < 3; i++) {
      Check.equal("solicited", i == 2, right.await().solicited());
      right.expect(64L * i, 64, 31);
    }
    return "3 x 64 B";
  }
}
