package dev.bluebell.lab.storm;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A well-behaved client: WRITEs of 32 bytes between two queue pairs of its own, each checked when
 * it completes. For each input line with a time in milliseconds, it runs for that time, and prints
 * the number of messages, the longest stall in microseconds, the time that its thread ran during
 * the stall, and the total time for which the machine stood still.
 */
final class Victim implements AutoCloseable {
  private static final int BYTES = 32;
  private static final int DEPTH = 512;
  private static final int BATCH = 32;
  private static final long SHORT_NANOS = 10_000_000;

  private final Device device;
  private final MemoryRegion from;
  private final MemoryRegion to;
  private final CompletionQueue completions;
  private final RcQueuePair queue;
  private long posted;
  private long completed;
  private long stall;
  private long last;
  private long ranInStall;

  // Values at the last sample: the time, the time that the machine had lost, and the time that this
  // thread had run.
  private long sampled;
  private long lost;
  private long ran;

  private final Witness[] witnesses = Witness.start();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  Victim(String name) {
    device = Device.open(name);
    ProtectionDomain domain = device.allocateProtectionDomain();
    from = domain.allocate((long) BYTES * DEPTH, LOCAL_WRITE);
    to = domain.allocate((long) BYTES * DEPTH, LOCAL_WRITE, REMOTE_WRITE);
    completions = device.createCompletionQueue(2 * DEPTH);
    queue = domain.rcQueuePair(completions).sendQueue(2 * DEPTH).create();
    RcQueuePair peer = domain.rcQueuePair(completions).create();
    queue.connect(peer.endpoint());
    peer.connect(queue.endpoint());
  }

  /** Runs for some time; returns the number of messages. */
  long work(long nanos) {
    long before = completed;
    stall = 0;
    ranInStall = 0;
    last = System.nanoTime();
    sample(last);
    long end = last + nanos;
    while (last < end || System.nanoTime() < end) {
      postAll();
      await();
    }
    return completed - before;
  }

  /**
   * The longest time without a message in the last {@link #work}, in nanoseconds; 0 when it was
   * short. Excludes time for which the machine stood still.
   */
  long stall() {
    return stall;
  }

  /**
   * Time that this thread ran during that stall, in nanoseconds: little if it waited for a
   * processor, all of it if it waited for the device.
   */
  long ranInStall() {
    return ranInStall;
  }

  /** Total time for which the machine stood still since the start, in nanoseconds. */
  long lost() {
    return Witness.lost(witnesses);
  }

  private void postAll() {
    if (posted - completed > DEPTH - BATCH) {
      return;
    }
    for (int i = 0; i < BATCH; i++) {
      long offset = offset(posted);
      from.segment().set(ValueLayout.JAVA_LONG, offset, posted);
      queue.write(to.address() + offset, to.rkey()).gather(from, offset, BYTES).signaled(posted);
      posted++;
    }
    queue.ringDoorbell();
  }

  private static long offset(long message) {
    return message % DEPTH * BYTES;
  }

  private void await() {
    while (completions.poll(this::check) == 0) {
      Thread.onSpinWait();
    }
    long now = System.nanoTime();
    if (now - last > SHORT_NANOS) {
      noteStall(now);
    }
    last = now;
    if (now - sampled > SHORT_NANOS) {
      sample(now);
    }
  }

  private void noteStall(long now) {
    long nanos = now - last - (lost() - lost);
    if (nanos > stall) {
      stall = nanos;
      ranInStall = Math.min(nanos, threads.getCurrentThreadCpuTime() - ran);
    }
  }

  private void sample(long now) {
    lost = lost();
    ran = threads.getCurrentThreadCpuTime();
    sampled = now;
  }

  private void check(Completion completion) {
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw new IllegalStateException(
          "message %d failed: %s".formatted(completion.id(), completions.diagnose()));
    }
    if (completion.id() != completed
        || to.segment().get(ValueLayout.JAVA_LONG, offset(completed)) != completed) {
      throw new IllegalStateException("message %d was lost".formatted(completed));
    }
    completed++;
  }

  @Override
  public void close() {
    device.close();
  }

  public static void main(String[] names) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (Victim victim = new Victim(names[0])) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        long before = victim.lost();
        long messages = victim.work(Long.parseLong(line) * 1_000_000);
        System.out.printf(
            "%d %d %d %d%n",
            messages,
            victim.stall() / 1000,
            victim.ranInStall() / 1000,
            (victim.lost() - before) / 1000);
      }
    }
  }
}
