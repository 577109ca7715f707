package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.SharedReceiveRingLayout;

/** Describes a tag-matching receive queue to be created. Not thread-safe. */
public final class TagMatchingReceiveQueueBuilder {
  private static final int MAX_REQUESTS = 32767;
  private static final int MAX_SCATTER = 127;

  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private int tags = 63;
  private int operations = 64;
  private int requests = 63;
  private int maxScatter = 1;
  private boolean rendezvous;

  TagMatchingReceiveQueueBuilder(ProtectionDomain domain, CompletionQueue completions) {
    this.domain = domain;
    this.completions = completions;
  }

  /**
   * Sets how many tags can be in the list, raised to the next power of two less one. Default 63.
   *
   * @param count 1 … 32767
   */
  public TagMatchingReceiveQueueBuilder tags(int count) {
    tags = Ranges.require("tags", count, 1, MAX_REQUESTS);
    return this;
  }

  /**
   * Sets how many changes of the list can be outstanding, rounded up to a power of two. Default 64.
   *
   * @param count 1 … 32768
   */
  public TagMatchingReceiveQueueBuilder operations(int count) {
    operations = Ranges.require("operations", count, 1, QueuePairBuilder.MAX_REQUESTS);
    return this;
  }

  /**
   * Sets how many requests for unexpected messages can be outstanding, raised to the next power of
   * two less one. Default 63.
   *
   * @param count 1 … 32767
   */
  public TagMatchingReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, MAX_REQUESTS);
    return this;
  }

  /**
   * Sets how many scatter entries a request for an unexpected message may have, raised to the next
   * power of two less one. Default 1.
   *
   * @param entries 1 … 127
   */
  public TagMatchingReceiveQueueBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, MAX_SCATTER);
    return this;
  }

  /**
   * Says whether the device does the rendezvous of messages that offer their payload, as far as
   * they come to a {@link TagMatchingReceiveQueue#rendezvousTarget()}. Default off.
   *
   * @throws IllegalStateException on a device that does none
   */
  public TagMatchingReceiveQueueBuilder rendezvous(boolean on) {
    if (on && !domain.device().attributes().rendezvous()) {
      throw new IllegalStateException(
          domain.device() + " does no rendezvous for reliable connections (rndv_offload_rc)");
    }
    rendezvous = on;
    return this;
  }

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the device has no tag matching, or the domain or the
   *     completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public TagMatchingReceiveQueue create() {
    domain.lifetime().requireOpen();
    DeviceAttributes limits = domain.device().attributes();
    if (limits.maxTags() == 0) {
      throw new IllegalStateException(domain.device() + " has no tag matching");
    }
    int logTags = SharedReceiveRingLayout.logEntries(tags);
    if (1 << logTags > limits.maxTags()) {
      throw new IllegalArgumentException(
          "tags(%d) is more than the %d that the device takes"
              .formatted(tags, limits.maxTags() - 1));
    }
    SharedReceiveShape shape = SharedReceiveShape.of(requests, maxScatter, limits);
    TagMatchingReceiveQueue queue =
        new TagMatchingReceiveQueue(domain, completions, shape, logTags, operations, rendezvous);
    return domain.device().add(queue);
  }
}
