package dev.bluebell.verbs;

/** Describes a shared receive queue to be created. Not thread-safe. */
public final class SharedReceiveQueueBuilder {
  private static final int MAX_REQUESTS = 32767;
  private static final int MAX_SCATTER = 127;

  private final ProtectionDomain domain;
  private int requests = 255;
  private int maxScatter = 1;

  SharedReceiveQueueBuilder(ProtectionDomain domain) {
    this.domain = domain;
  }

  /**
   * Sets how many requests can be outstanding. It is raised to the next power of two less one: one
   * entry is always spare. Default 255.
   *
   * @param count 1 … 32767
   */
  public SharedReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, MAX_REQUESTS);
    return this;
  }

  /**
   * Sets how many scatter entries a request may have, raised to the next power of two less one.
   * Default 1.
   *
   * @param entries 1 … 127
   */
  public SharedReceiveQueueBuilder maxScatter(int entries) {
    maxScatter = Ranges.require("maxScatter", entries, 1, MAX_SCATTER);
    return this;
  }

  /**
   * Creates the queue.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public SharedReceiveQueue create() {
    domain.lifetime().requireOpen();
    SharedReceiveShape shape =
        SharedReceiveShape.of(requests, maxScatter, domain.device().attributes());
    return LinkedReceiveQueue.add(new SharedReceiveQueue(domain, shape));
  }
}
