package dev.bluebell.verbs;

import java.util.List;

/**
 * A receive queue that many queue pairs share: a message to any of them takes the next request. Its
 * completion comes to the completion queue of the queue pair that received the message, and gives
 * the request's entry back, in whatever order completions are polled. Mirrors {@code verbs.h:
 * ibv_srq}.
 *
 * <p>Posting, ringing and counting belong to one thread at a time. The completions of its queue
 * pairs may be polled by any number of threads. Arming and closing are thread-safe.
 *
 * <p>A request's entry stays occupied until its completion is polled, also when its queue pair was
 * closed meanwhile and nobody is told of it.
 */
public final class SharedReceiveQueue extends ScatteringReceiveQueue {
  SharedReceiveQueue(ProtectionDomain domain, SharedReceiveShape shape) {
    super(
        domain.device(),
        shape,
        new Kind() {
          @Override
          public String name() {
            return "SRQ";
          }

          @Override
          public byte[] create(QueueMemory memory, DoorbellRecordPool.Record record) {
            return SharedReceiveCommands.create(domain.number(), memory, record, shape);
          }

          @Override
          public byte[] limit(int number, int limit) {
            return SharedReceiveCommands.limit(number, limit);
          }
        },
        List.of(domain.lifetime()),
        new Teardown());
  }

  /** This queue, as queue pairs receive from it. */
  SharedReceives shared() {
    return new SharedReceives(device(), number(), lifetime(), ring());
  }
}
