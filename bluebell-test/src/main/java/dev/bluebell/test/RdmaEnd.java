package dev.bluebell.test;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.RcQueuePair;
import java.util.List;

/**
 * One end of a connection, with a domain and a completion queue of its own. Its queue pair has the
 * default sizes: room for 64 receives and, at least, 64 send requests. Its completion queue has
 * room for 1024 completions.
 *
 * @param memory 64 KiB with all rights
 */
public record RdmaEnd(
    TestDevice device,
    ProtectionDomain domain,
    CompletionQueue completions,
    RcQueuePair queuePair,
    MemoryRegion memory) {
  private static final int ENTRIES = 1024;
  private static final int MEMORY_BYTES = 1 << 16;

  static RdmaEnd create(TestDevice device) {
    Device opened = device.device();
    ProtectionDomain domain = device.own(opened.allocateProtectionDomain());
    CompletionQueue completions = device.own(opened.createCompletionQueue(ENTRIES));
    MemoryRegion memory = device.own(domain.allocate(MEMORY_BYTES, Access.rights()));
    RcQueuePair queuePair = device.own(domain.rcQueuePair(completions).create());
    return new RdmaEnd(device, domain, completions, queuePair, memory);
  }

  /**
   * Posts receives, each of all the memory, and rings the doorbell: ready for {@code count}
   * messages.
   *
   * @throws QueueFullException when {@code count} is larger than the number of free receives, of
   *     which there are 64 at first; nothing was posted
   */
  public void receive(int count, long firstId) {
    int free = queuePair.freeReceives();
    if (free > 0 && count > free) {
      throw new QueueFullException(
          "this end of the pair has room for %d receives, and %d of them are free, not %d: post fewer and await their completions, or build your own queue pair with domain().rcQueuePair(completions()).receiveQueue(%d)"
              .formatted(queuePair.receiveQueueRequests(), free, count, count));
    }
    for (int i = 0; i < count; i++) {
      queuePair.receive().scatter(memory, 0, MEMORY_BYTES).post(firstId + i);
    }
    queuePair.ringReceiveDoorbell();
  }

  /** Waits for the next completion, as {@link TestDevice#await(CompletionQueue)}. */
  public Done await() {
    return device.await(completions);
  }

  /** Waits for {@code count} completions, as {@link TestDevice#await(CompletionQueue, int)}. */
  public List<Done> await(int count) {
    return device.await(completions, count);
  }

  /** Waits for the next completion and expects a success with an id. */
  public Done expectSuccess(long id) {
    return await().expectSuccess(id);
  }

  /** Expects that nothing completes, as {@link TestDevice#expectNothing}. */
  public void expectNothing() {
    device.expectNothing(completions);
  }
}
