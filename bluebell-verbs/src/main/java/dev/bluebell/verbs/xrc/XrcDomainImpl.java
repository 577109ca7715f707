package dev.bluebell.verbs.xrc;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcTargetBuilder;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceCapabilities;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link XrcDomain}. */
public final class XrcDomainImpl extends DeviceObject implements XrcDomain {
  private final HcaObject object;

  // A target must name both but uses neither. Linux also has a pair for this purpose.
  private final Domain unusedDomain;
  private final CompletionQueueImpl unusedCompletions;

  public XrcDomainImpl(DeviceContext device) {
    super(device, new Teardown(), List.of());
    try {
      unusedDomain = new Domain(device);
      teardown.add(unusedDomain::close);
      unusedCompletions = new CompletionQueueImpl(device, 1, CompletionQueueOptions.DEFAULT);
      teardown.add(unusedCompletions::close);
      object = device.hca().create(XrcCommands.allocateDomain());
      teardown.add(object::close);
    } catch (RuntimeException | Error e) {
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
  public String toString() {
    return "XRC domain %d".formatted(number());
  }

  /** The command that creates a target. */
  public byte[] createTarget() {
    return XrcCommands.createTarget(
        number(),
        unusedDomain.number(),
        unusedCompletions.number(),
        DeviceCapabilities.timestampFormat(device.attributes()));
  }
}
