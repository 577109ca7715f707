package dev.bluebell.cli.device;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/** The smallest test of a device: one WRITE of 8 bytes. */
final class SelfTest {
  private static final long MESSAGE = 0x626c756562656c6cL;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private SelfTest() {}

  static void run(Device device) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(4);
    MemoryRegion memory = domain.allocate(2 * Long.BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    RcQueuePair left = domain.rcQueuePair(completions).create();
    RcQueuePair right = domain.rcQueuePair(completions).create();
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    memory.segment().set(ValueLayout.JAVA_LONG, 0, MESSAGE);
    left.write(memory.address() + Long.BYTES, memory.rkey())
        .gather(memory.address(), Long.BYTES, memory.lkey())
        .signaled(0);
    left.ringDoorbell();
    await(completions);
    if (memory.segment().get(ValueLayout.JAVA_LONG, Long.BYTES) != MESSAGE) {
      throw new WorkFailed("a WRITE of 8 bytes completed, but the bytes did not arrive");
    }
  }

  private static void await(CompletionQueue completions) {
    long start = System.nanoTime();
    Completion completion = completions.poll();
    while (completion == null) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new WorkFailed("a WRITE of 8 bytes did not complete within 30 s");
      }
      Thread.onSpinWait();
      completion = completions.poll();
    }
    if (!completion.isSuccess()) {
      throw new WorkFailed("a WRITE of 8 bytes failed: " + completion.explanation());
    }
  }
}
