package dev.bluebell.connect.shared;

import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.RcQueuePair;
import java.util.Objects;

/** Checks of a queue pair that an application made for a connection. */
public final class NewQueuePair {
  private NewQueuePair() {}

  /**
   * Checks that a queue pair can be connected, before the peer hears of it. The caller owns what
   * this returns; a queue pair that is refused may belong to another connection, so it stays open.
   *
   * @param made what the application's supplier returned
   * @return the same queue pair
   * @throws NullPointerException when that is null
   * @throws IllegalStateException when the queue pair is connected already
   */
  public static RcQueuePair of(RcQueuePair made) {
    QueuePairState state =
        Objects.requireNonNull(made, "the supplier of the queue pair returned null")
            .query()
            .state();
    if (state != QueuePairState.INIT) {
      throw new IllegalStateException(
          "the supplier of the queue pair returned %s, which is in %s: it must return a new one"
              .formatted(made, state));
    }
    return made;
  }
}
