package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.WorkQueues;
import java.util.List;

/**
 * A shared receive queue of extended reliable connections: a message that names it takes its next
 * request, through whatever target of its {@link XrcDomain} the message comes. Completions come to
 * the queue's own completion queue, and carry the number of the target. The keys that requests name
 * are those of the queue's protection domain. Mirrors {@code verbs.h: IBV_SRQT_XRC}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. Arming and closing are
 * thread-safe. Requests for a queue that is closed are refused, and end their connections.
 */
public final class XrcSharedReceiveQueue extends ScatteringReceiveQueue {
  private XrcSharedReceiveQueue(
      ProtectionDomain domain,
      XrcDomain xrcDomain,
      CompletionQueue completions,
      SharedReceiveShape shape,
      int userIndex,
      Teardown teardown) {
    super(
        domain.device(),
        shape,
        new Kind() {
          @Override
          public String name() {
            return "XRC SRQ";
          }

          @Override
          public byte[] create(QueueMemory memory, DoorbellRecordPool.Record record) {
            return XrcCommands.createReceives(
                domain, xrcDomain, completions, userIndex, memory, record, shape);
          }

          @Override
          public byte[] limit(int number, int limit) {
            return XrcCommands.limit(number, limit);
          }
        },
        List.of(domain.lifetime(), xrcDomain.lifetime(), completions.lifetime()),
        teardown);
    device().queues().set(userIndex, WorkQueues.shared(ring()));
  }

  static XrcSharedReceiveQueue create(
      ProtectionDomain domain,
      XrcDomain xrcDomain,
      CompletionQueue completions,
      SharedReceiveShape shape) {
    Device device = domain.device();
    Teardown teardown = new Teardown();
    int userIndex = device.queues().reserve();
    teardown.add(() -> device.queues().release(userIndex, completions.ring()));
    XrcSharedReceiveQueue queue =
        add(new XrcSharedReceiveQueue(domain, xrcDomain, completions, shape, userIndex, teardown));
    try {
      completions.admit(queue);
    } catch (IllegalStateException e) {
      queue.close();
      throw e;
    }
    return queue;
  }
}
