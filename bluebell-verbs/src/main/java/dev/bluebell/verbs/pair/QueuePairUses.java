package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.receive.SharedReceives;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a queue pair belongs to, completes in and receives from.
 *
 * @param domain its protection domain
 * @param sendCompletions where its send requests complete
 * @param receiveCompletions where its receive requests complete
 * @param sharedReceives the shared queue that it receives from; null if it has its own receive
 *     queue or none
 */
public record QueuePairUses(
    Domain domain,
    CompletionQueueImpl sendCompletions,
    CompletionQueueImpl receiveCompletions,
    @Nullable SharedReceives sharedReceives) {

  /** Checks that all of them are open and belong to one device. */
  public QueuePairUses {
    domain.lifetime().requireOpen();
    domain.requireUsable(sendCompletions);
    domain.requireUsable(receiveCompletions);
    if (sharedReceives != null) {
      domain.requireUsable(sharedReceives, sharedReceives.device(), sharedReceives.lifetime());
    }
  }

  /** The lifetimes of these objects, which must outlive the queue pair. */
  List<Lifetime> lifetimes() {
    List<Lifetime> all = new ArrayList<>();
    all.add(domain.lifetime());
    all.add(sendCompletions.lifetime());
    all.add(receiveCompletions.lifetime());
    if (sharedReceives != null) {
      all.add(sharedReceives.lifetime());
    }
    return all;
  }
}
