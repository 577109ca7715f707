package dev.bluebell.verbs.tag;

import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueueBuilder;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.pair.QueuePairBuilderImpl;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import dev.bluebell.verbs.value.Ranges;

/** Implements {@link TagMatchingReceiveQueueBuilder}. */
public final class TagMatchingReceiveQueueBuilderImpl implements TagMatchingReceiveQueueBuilder {
  /** Most tags that a builder accepts; a device may take fewer. */
  private static final int MAX_TAGS = 32767;

  private final Domain domain;
  private final CompletionQueueImpl completions;
  private int tags = 63;
  private int operations = 64;
  private int requests = 63;
  private int maxScatter = 1;
  private boolean rendezvous;

  public TagMatchingReceiveQueueBuilderImpl(Domain domain, CompletionQueueImpl completions) {
    this.domain = domain;
    this.completions = completions;
  }

  @Override
  public TagMatchingReceiveQueueBuilder tags(int count) {
    tags = Ranges.require("tags", count, 1, MAX_TAGS);
    return this;
  }

  @Override
  public TagMatchingReceiveQueueBuilder operations(int count) {
    operations = Ranges.require("operations", count, 1, QueuePairBuilderImpl.MAX_REQUESTS);
    return this;
  }

  @Override
  public TagMatchingReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, SharedReceiveShape.MAX_REQUESTS);
    return this;
  }

  @Override
  public TagMatchingReceiveQueueBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, SharedReceiveShape.MAX_SCATTER);
    return this;
  }

  @Override
  public TagMatchingReceiveQueueBuilder rendezvous(boolean on) {
    if (on && !domain.device().attributes().rendezvous()) {
      throw new IllegalStateException(
          domain.device()
              + " does not support rendezvous for reliable connections (rndv_offload_rc)");
    }
    rendezvous = on;
    return this;
  }

  @Override
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
    return TagMatchingReceiveQueueImpl.create(
        domain, completions, shape, logTags, operations, rendezvous);
  }
}
