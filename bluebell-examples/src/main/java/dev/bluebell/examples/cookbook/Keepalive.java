package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Probes whether a silent peer is alive. */
final class Keepalive {
  private Keepalive() {}

  /** Gives up a silent peer after 4 attempts of 50 ms each, rounded up to the next timeout code. */
  static final ConnectOptions OPTIONS =
      ConnectOptions.DEFAULT.withTimeout(Duration.ofMillis(50)).withRetryCount(3);

  /**
   * Probes a peer with a WRITE of no bytes, which changes nothing, and which the peer's card
   * answers without its application.
   */
  static CompletionStatus probe(
      RcQueuePair queuePair, CompletionQueue completions, RemoteMemory anything) {
    queuePair.write(anything).signaled(0);
    queuePair.ringDoorbell();
    List<CompletionStatus> status = new ArrayList<>();
    Polling.await(completions, 1, completion -> status.add(completion.status()));
    return status.getFirst();
  }

  /** Probes a peer while it is alive, and again when it is gone. */
  static List<CompletionStatus> run(Device device) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair left = domain.rcQueuePair(completions).create();
        RcQueuePair right = domain.rcQueuePair(completions).create()) {
      left.connect(right.endpoint(), OPTIONS);
      right.connect(left.endpoint(), OPTIONS);
      CompletionStatus before = probe(left, completions, memory.remote());
      right.close();
      return List.of(before, probe(left, completions, memory.remote()));
    }
  }
}
