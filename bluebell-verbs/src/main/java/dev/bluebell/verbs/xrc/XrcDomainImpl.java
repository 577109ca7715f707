package dev.bluebell.verbs.xrc;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcTargetBuilder;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;

/** Implements {@link XrcDomain}. */
public final class XrcDomainImpl implements XrcDomain {
  private final DeviceContext device;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  // A target must name both but uses neither. Linux also has a pair for this purpose.
  private final Domain unusedDomain;
  private final CompletionQueueImpl unusedCompletions;

  public XrcDomainImpl(DeviceContext device) {
    this.device = device;
    try {
      unusedDomain = new Domain(device);
      teardown.add(unusedDomain::close);
      unusedCompletions = new CompletionQueueImpl(device, 1, CompletionQueueOptions.DEFAULT);
      teardown.add(unusedCompletions::close);
      object = device.hca().create(XrcCommands.allocateDomain());
      teardown.add(object::close);
      lifetime = new Lifetime("XRC domain %d".formatted(object.number()));
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  @Override
  public XrcTargetBuilder target() {
    return new XrcTargetBuilderImpl(this);
  }

  @Override
  public int number() {
    return object.number();
  }

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
  public byte[] createTarget() {
    return XrcCommands.createTarget(number(), unusedDomain.number(), unusedCompletions.number());
  }

  public DeviceContext device() {
    return device;
  }

  public Lifetime lifetime() {
    return lifetime;
  }
}
