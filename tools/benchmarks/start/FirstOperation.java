import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.management.ManagementFactory;

/**
 * What a Java application waits for until its first operation is done. Prints lines of a name and
 * milliseconds.
 *
 * <pre>FirstOperation DEVICE</pre>
 */
class FirstOperation {
  private static final int BYTES = 64;

  static void main(String[] arguments) {
    long started = ManagementFactory.getRuntimeMXBean().getStartTime();
    System.out.printf("jvm %d%n", System.currentTimeMillis() - started);
    long at = System.nanoTime();
    try (Device device = Device.open(arguments[0])) {
      at = print("open", at);
      try (ProtectionDomain domain = device.allocateProtectionDomain();
          MemoryRegion source = domain.allocate(BYTES, LOCAL_WRITE);
          MemoryRegion target = domain.allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE);
          CompletionQueue completions = device.createCompletionQueue(16);
          RcQueuePair left = domain.rcQueuePair(completions).create();
          RcQueuePair right = domain.rcQueuePair(completions).create()) {
        at = print("objects", at);
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        at = print("connect", at);
        for (String which : new String[] {"first", "second"}) {
          left.write(target.remote()).gather(source, 0, BYTES).signaled(1);
          left.ringDoorbell();
          Completion completion;
          do {
            completion = completions.poll();
          } while (completion == null);
          if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.explanation());
          }
          at = print(which, at);
        }
      }
    }
  }

  private static long print(String what, long since) {
    System.out.printf("%s %.3f%n", what, (System.nanoTime() - since) / 1e6);
    return System.nanoTime();
  }
}
