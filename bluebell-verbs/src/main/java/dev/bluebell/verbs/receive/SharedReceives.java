package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.ring.Receives;
import org.jspecify.annotations.Nullable;

/**
 * A shared queue as queue pairs receive from it.
 *
 * @param number of the queue, 24 bits
 * @param lifetime of the queue, which must outlive the queue pairs
 * @param byQueuePair its requests, when completions name them by the user index of the queue pair;
 *     null when the queue has a user index of its own
 */
public record SharedReceives(
    DeviceContext device, int number, Lifetime lifetime, @Nullable Receives byQueuePair) {
  @Override
  public String toString() {
    return lifetime.name();
  }
}
