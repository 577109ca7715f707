import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * The processor time of a WRITE over the network: one thread runs two devices at two addresses and
 * both ends of a connection, and its time includes that of the kernel. Other load on the machine
 * changes this figure much less than rates between processes.
 *
 * <pre>./bluebell java tools/benchmarks/network/ProcessorTime.java BYTES</pre>
 */
class ProcessorTime {
  private static final long PHASE_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int BATCH = 32;
  private static final int LONG_MESSAGE = 1 << 16;

  static void main(String[] arguments) {
    int bytes = Integer.parseInt(arguments[0]);
    int batch = bytes < LONG_MESSAGE ? BATCH : 1;
    try (Device near = Device.open("soft:engine=poll,listen=127.77.0.4");
        Device far = Device.open("soft:engine=poll,listen=127.77.0.5");
        ProtectionDomain here = near.allocateProtectionDomain();
        ProtectionDomain there = far.allocateProtectionDomain();
        MemoryRegion source = here.allocate(bytes, LOCAL_WRITE);
        MemoryRegion target = there.allocate(bytes, LOCAL_WRITE, REMOTE_WRITE);
        CompletionQueue completions = near.createCompletionQueue(4 * BATCH);
        CompletionQueue none = far.createCompletionQueue(1);
        RcQueuePair left = here.rcQueuePair(completions).sendQueue(4 * BATCH).create();
        RcQueuePair right = there.rcQueuePair(none).create()) {
      left.connect(right.endpoint());
      right.connect(left.endpoint());
      int outstanding = 0;
      long done = 0;
      long processor = 0;
      long start = System.nanoTime();
      for (boolean measured = false; ; ) {
        while (outstanding < 4 * batch) {
          for (int i = 1; i < batch; i++) {
            left.write(target.remote()).gather(source, 0, bytes).unsignaled(0);
          }
          left.write(target.remote()).gather(source, 0, bytes).signaled(0);
          left.ringDoorbell();
          outstanding += batch;
        }
        // Each poll lets its device do a step.
        Completion completion = completions.poll();
        none.poll();
        if (completion != null) {
          if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.explanation());
          }
          outstanding -= batch;
          done += batch;
        }
        if (System.nanoTime() - start > PHASE_NANOS) {
          long now = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
          if (measured) {
            double each = (double) (now - processor) / done;
            System.out.printf(
                "WRITE of %d bytes: %.0f ns of processor time, %.0f MB in a second of it%n",
                bytes, each, bytes / each * 1000);
            return;
          }
          measured = true;
          processor = now;
          done = 0;
          start = System.nanoTime();
        }
      }
    }
  }
}
