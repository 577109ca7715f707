package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;

/**
 * A domain of extended reliable connections (XRC): its targets take messages for its shared receive
 * queues, any target for any queue. Mirrors {@code verbs.h: ibv_xrcd} without a file, so that it
 * belongs to one process.
 *
 * <p>Thread-safe.
 */
public final class XrcDomain implements AutoCloseable {
  private final Device device;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  // A target must name both, and uses neither. Linux has a pair of them for that.
  private final ProtectionDomain unusedDomain;
  private final CompletionQueue unusedCompletions;

  XrcDomain(Device device) {
    this.device = device;
    try {
      unusedDomain = device.allocateProtectionDomain();
      teardown.add(unusedDomain::close);
      unusedCompletions = device.createCompletionQueue(1);
      teardown.add(unusedCompletions::close);
      object = device.hca().create(XrcCommands.allocateDomain());
      teardown.add(object::close);
      lifetime = new Lifetime("XRC domain %d".formatted(object.number()));
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /** Starts to describe a target, which an {@link XrcInitiator} connects to. */
  public XrcTargetBuilder target() {
    return new XrcTargetBuilder(this);
  }

  /** Number of the domain, 24 bits. */
  public int number() {
    return object.number();
  }

  /**
   * Frees the domain. Idempotent.
   *
   * @throws IllegalStateException when targets or shared receive queues of it still exist
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }

  /** The command that creates a target. */
  byte[] createTarget() {
    return XrcCommands.createTarget(number(), unusedDomain.number(), unusedCompletions.number());
  }

  Device device() {
    return device;
  }

  Lifetime lifetime() {
    return lifetime;
  }
}
