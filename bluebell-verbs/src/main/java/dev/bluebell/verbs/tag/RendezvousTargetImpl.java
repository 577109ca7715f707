package dev.bluebell.verbs.tag;

import dev.bluebell.verbs.RendezvousTarget;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.object.QueueResources;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.pair.TargetQueuePairImpl;
import java.util.List;

/** Implements {@link RendezvousTarget}. */
public final class RendezvousTargetImpl extends TargetQueuePairImpl implements RendezvousTarget {
  /** Keeps the memory registered with the device reachable. */
  @SuppressWarnings("UnusedVariable")
  private final QueueResources resources;

  private RendezvousTargetImpl(
      TagMatchingReceiveQueueImpl receives,
      ConnectionSettings settings,
      QueueResources resources,
      Teardown teardown) {
    super(
        receives.device(),
        settings,
        TagMatchingCommands.createTarget(receives, resources),
        teardown,
        List.of(receives.lifetime()));
    this.resources = resources;
  }

  /** Creates a target and moves it to INIT. */
  public static RendezvousTargetImpl create(
      TagMatchingReceiveQueueImpl receives, ConnectionSettings settings) {
    Teardown teardown = new Teardown();
    QueueResources resources;
    try {
      // The device requires memory for each queue, even for queues that are never used.
      resources = QueueResources.ofQueuePair(receives.device(), 1, false, teardown);
    } catch (RuntimeException | Error e) {
      throw teardown.runAfter(e);
    }
    return new RendezvousTargetImpl(receives, settings, resources, teardown);
  }
}
