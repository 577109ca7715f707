package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One pool of receives for many peers, which is refilled before it is empty. */
final class SharedReceives {
  private static final int SLOTS = 16;
  private static final int LOW = 4;
  private static final int SLOT_BYTES = 64;

  private final SharedReceiveQueue receives;
  private final MemoryRegion memory;

  /** Slots whose messages were used. */
  private final List<Long> free = new ArrayList<>();

  /** Number of messages by the number of the queue pair that received them. */
  private final Map<Integer, Integer> messages = new TreeMap<>();

  SharedReceives(SharedReceiveQueue receives, MemoryRegion memory) {
    this.receives = receives;
    this.memory = memory;
    for (long slot = 0; slot < SLOTS; slot++) {
      free.add(slot);
    }
    refill();
  }

  /** Posts all free slots, and arms the queue to call it again when few are left. */
  private void refill() {
    for (long slot : free) {
      receives.receive().scatter(memory, slot * SLOT_BYTES, SLOT_BYTES).post(slot);
    }
    free.clear();
    receives.ringDoorbell();
    receives.arm(LOW, this::refill);
  }

  /** Takes a message: its id is the slot, and its queue pair identifies the sender. */
  void take(Completion message) {
    Polling.requireSuccess(message);
    messages.merge(message.queuePairNumber(), 1, Integer::sum);
    free.add(message.id());
  }

  /** Lets several peers send messages; returns the number of messages from each. */
  static List<Integer> run(Device device, int peers, int messages) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(SLOTS * SLOT_BYTES, Access.LOCAL_WRITE);
        CompletionQueue sent = device.createCompletionQueue(256);
        CompletionQueue received = device.createCompletionQueue(SLOTS);
        SharedReceiveQueue receives = domain.sharedReceiveQueue().requests(SLOTS).create()) {
      SharedReceives pool = new SharedReceives(receives, memory);
      List<RcQueuePair> clients = new ArrayList<>();
      List<RcQueuePair> ends = new ArrayList<>();
      try {
        for (int i = 0; i < peers; i++) {
          ends.add(domain.rcQueuePair(received).receiveFrom(receives).create());
          clients.add(domain.rcQueuePair(sent).create());
          Polling.connect(clients.get(i), ends.get(i));
        }
        for (int message = 0; message < messages; message++) {
          for (RcQueuePair client : clients) {
            client.send().inline(new byte[1], 0, 1).signaled(message);
            client.ringDoorbell();
          }
          // Each message completes at both ends.
          for (int left = 2 * peers; left > 0; ) {
            left -= received.poll(pool::take) + sent.poll(Polling::requireSuccess);
            // The handler of its event refills the pool. Until then, further messages wait.
            AsyncEvent unused = device.pollEvent();
          }
        }
        return List.copyOf(pool.messages.values());
      } finally {
        clients.forEach(RcQueuePair::close);
        ends.forEach(RcQueuePair::close);
      }
    }
  }
}
