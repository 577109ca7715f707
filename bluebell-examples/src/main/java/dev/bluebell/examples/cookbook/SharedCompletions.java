package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One completion queue, and thus one polling thread, for many connections. */
final class SharedCompletions {
  private static final int OUTSTANDING = 8;

  /** Number of outstanding requests by connection. */
  private final int[] underWay;

  private final int[] done;

  private SharedCompletions(int connections) {
    underWay = new int[connections];
    done = new int[connections];
  }

  /** An id that contains the connection and the request; the completion returns it unchanged. */
  static long id(int connection, int request) {
    return (long) connection << Integer.SIZE | request;
  }

  private void take(Completion completion) {
    Polling.requireSuccess(completion);
    int connection = (int) (completion.id() >>> Integer.SIZE);
    underWay[connection]--;
    done[connection]++;
  }

  /** Writes over several connections; returns the number of completed writes of each. */
  static int[] run(Device device, int connections, int writes) {
    SharedCompletions state = new SharedCompletions(connections);
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        // Room for all requests, of all connections together, that can complete before the next
        // poll.
        CompletionQueue completions = device.createCompletionQueue(connections * OUTSTANDING);
        CompletionQueue idle = device.createCompletionQueue(1)) {
      List<RcQueuePair> ours = new ArrayList<>();
      List<RcQueuePair> theirs = new ArrayList<>();
      try {
        for (int i = 0; i < connections; i++) {
          ours.add(domain.rcQueuePair(completions).create());
          theirs.add(domain.rcQueuePair(idle).create());
          Polling.connect(ours.get(i), theirs.get(i));
        }
        while (Arrays.stream(state.done).sum() < connections * writes) {
          for (int i = 0; i < connections; i++) {
            state.postWhatFits(i, ours.get(i), memory, writes);
          }
          completions.poll(state::take);
        }
        return state.done;
      } finally {
        ours.forEach(RcQueuePair::close);
        theirs.forEach(RcQueuePair::close);
      }
    }
  }

  private void postWhatFits(
      int connection, RcQueuePair queuePair, MemoryRegion memory, int writes) {
    while (underWay[connection] < OUTSTANDING && done[connection] + underWay[connection] < writes) {
      queuePair
          .write(memory.remote())
          .gather(memory, 0, 8)
          .signaled(id(connection, done[connection] + underWay[connection]));
      underWay[connection]++;
    }
    queuePair.ringDoorbell();
  }
}
