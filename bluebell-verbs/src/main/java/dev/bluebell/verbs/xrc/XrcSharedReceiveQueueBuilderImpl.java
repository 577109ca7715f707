package dev.bluebell.verbs.xrc;

import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcSharedReceiveQueueBuilder;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.value.Ranges;

/** Implements {@link XrcSharedReceiveQueueBuilder}. */
public final class XrcSharedReceiveQueueBuilderImpl implements XrcSharedReceiveQueueBuilder {
  private final Domain domain;
  private final XrcDomainImpl xrcDomain;
  private final CompletionQueueImpl completions;
  private int requests = 255;
  private int maxScatter = 1;

  public XrcSharedReceiveQueueBuilderImpl(
      Domain domain, XrcDomainImpl xrcDomain, CompletionQueueImpl completions) {
    this.domain = domain;
    this.xrcDomain = xrcDomain;
    this.completions = completions;
  }

  @Override
  public XrcSharedReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, SharedReceiveShape.MAX_REQUESTS);
    return this;
  }

  @Override
  public XrcSharedReceiveQueueBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, SharedReceiveShape.MAX_SCATTER);
    return this;
  }

  @Override
  public XrcSharedReceiveQueue create() {
    domain.lifetime().requireOpen();
    domain.requireUsable(xrcDomain);
    domain.requireUsable(completions);
    SharedReceiveShape shape =
        SharedReceiveShape.of(requests, maxScatter, domain.device().attributes());
    return XrcSharedReceiveQueueImpl.create(domain, xrcDomain, completions, shape);
  }
}
