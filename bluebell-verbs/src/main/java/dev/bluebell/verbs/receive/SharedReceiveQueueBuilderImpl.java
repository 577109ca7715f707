package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.SharedReceiveQueueBuilder;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.value.Ranges;

/** Implements {@link SharedReceiveQueueBuilder}. */
public final class SharedReceiveQueueBuilderImpl implements SharedReceiveQueueBuilder {
  private final Domain domain;
  private int requests = 255;
  private int maxScatter = 1;

  public SharedReceiveQueueBuilderImpl(Domain domain) {
    this.domain = domain;
  }

  @Override
  public SharedReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, SharedReceiveShape.MAX_REQUESTS);
    return this;
  }

  @Override
  public SharedReceiveQueueBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, SharedReceiveShape.MAX_SCATTER);
    return this;
  }

  @Override
  public SharedReceiveQueue create() {
    domain.lifetime().requireOpen();
    SharedReceiveShape shape =
        SharedReceiveShape.of(requests, maxScatter, domain.device().attributes());
    return DeviceObject.create(domain.device(), () -> new SharedReceiveQueueImpl(domain, shape));
  }
}
