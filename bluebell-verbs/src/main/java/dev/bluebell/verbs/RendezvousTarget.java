package dev.bluebell.verbs;

import java.util.List;

/**
 * The receiving end of a reliable connection to a {@link TagMatchingReceiveQueue}, of which the
 * device does the rendezvous: when a message that {@linkplain TagHeader#offer offers} its payload
 * takes a tag, the device reads the payload into the tag's memory, and then tells the sender by a
 * {@linkplain TagHeader#isDone message} of 32 bytes, for which the sender posts a receive request.
 * What does not fit the memory is {@linkplain Completion#wantsRendezvous left} to the program.
 *
 * <p>Its send queue is the device's own, so a program sends nothing by it, and reads what is left
 * to it by another queue pair. Completions are those of the tag-matching queue. Mirrors {@code
 * qp.c: create_user_qp} of Linux, {@code MLX5_QPC_OFFLOAD_TYPE_RNDV}.
 *
 * <p>Thread-safe.
 */
public final class RendezvousTarget extends TargetQueuePair {
  /** Keeps the memory that the device knows reachable. */
  @SuppressWarnings("UnusedVariable")
  private final QueueResources resources;

  private RendezvousTarget(
      TagMatchingReceiveQueue receives,
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

  /** Makes a target and moves it to INIT. */
  static RendezvousTarget create(TagMatchingReceiveQueue receives, ConnectionSettings settings) {
    Teardown teardown = new Teardown();
    QueueResources resources;
    try {
      // The device wants to know a place for each queue, also for those that are never used.
      resources = QueueResources.ofQueuePair(receives.device(), 1, false, teardown);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
    return new RendezvousTarget(receives, settings, resources, teardown);
  }
}
