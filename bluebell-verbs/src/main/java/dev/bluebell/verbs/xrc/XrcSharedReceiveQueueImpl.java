package dev.bluebell.verbs.xrc;

import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import dev.bluebell.verbs.receive.ScatteringReceiveQueueImpl;
import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;

/** Implements {@link XrcSharedReceiveQueue}. */
public final class XrcSharedReceiveQueueImpl extends ScatteringReceiveQueueImpl
    implements XrcSharedReceiveQueue {
  private XrcSharedReceiveQueueImpl(
      Domain domain,
      XrcDomainImpl xrcDomain,
      CompletionQueueImpl completions,
      SharedReceiveShape shape,
      int userIndex,
      Teardown teardown) {
    super(
        domain,
        shape,
        new Kind(
            "XRC SRQ",
            entries ->
                XrcCommands.createReceives(
                    entries, xrcDomain.number(), completions.number(), userIndex),
            XrcCommands::limit),
        List.of(domain.lifetime(), xrcDomain.lifetime(), completions.lifetime()),
        teardown);
    device().queues().set(userIndex, WorkQueues.shared(ring()));
  }

  public static XrcSharedReceiveQueueImpl create(
      Domain domain,
      XrcDomainImpl xrcDomain,
      CompletionQueueImpl completions,
      SharedReceiveShape shape) {
    DeviceContext device = domain.device();
    Teardown teardown = new Teardown();
    int userIndex = device.queues().reserve();
    teardown.add(() -> device.queues().release(userIndex, completions.ring()));
    return create(
        domain.device(),
        () ->
            new XrcSharedReceiveQueueImpl(
                domain, xrcDomain, completions, shape, userIndex, teardown));
  }
}
