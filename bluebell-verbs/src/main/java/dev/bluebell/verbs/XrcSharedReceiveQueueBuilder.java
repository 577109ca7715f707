package dev.bluebell.verbs;

/** Describes a shared receive queue of XRC to be created. Not thread-safe. */
public final class XrcSharedReceiveQueueBuilder {
  private static final int MAX_REQUESTS = 32767;
  private static final int MAX_SCATTER = 127;

  private final ProtectionDomain domain;
  private final XrcDomain xrcDomain;
  private final CompletionQueue completions;
  private int requests = 255;
  private int maxScatter = 1;

  XrcSharedReceiveQueueBuilder(
      ProtectionDomain domain, XrcDomain xrcDomain, CompletionQueue completions) {
    this.domain = domain;
    this.xrcDomain = xrcDomain;
    this.completions = completions;
  }

  /**
   * Sets how many requests can be outstanding. It is raised to the next power of two less one: one
   * entry is always spare. Default 255.
   *
   * @param count 1 … 32767
   */
  public XrcSharedReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, MAX_REQUESTS);
    return this;
  }

  /**
   * Sets how many scatter entries a request may have, raised to the next power of two less one.
   * Default 1.
   *
   * @param entries 1 … 127
   */
  public XrcSharedReceiveQueueBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, MAX_SCATTER);
    return this;
  }

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size is more than the device takes, or the parts belong
   *     to several devices
   * @throws IllegalStateException when a domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public XrcSharedReceiveQueue create() {
    domain.lifetime().requireOpen();
    domain.requireUsable(xrcDomain, xrcDomain.device(), xrcDomain.lifetime());
    domain.requireUsable(completions, completions.device(), completions.lifetime());
    SharedReceiveShape shape =
        SharedReceiveShape.of(requests, maxScatter, domain.device().attributes());
    return XrcSharedReceiveQueue.create(domain, xrcDomain, completions, shape);
  }
}
