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

/**
 * A well-behaved client: WRITEs of 32 bytes between two queue pairs of its own, each checked when
 * it completes. For each line with a time in milliseconds it does so for that time, and prints how
 * many there were, and the longest time without one in microseconds.
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
  private long stolen;
  private long sampled;

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

  /** Works for a time; how many messages there were. */
  long work(long nanos) {
    long before = completed;
    stall = 0;
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
   * short. What was stolen meanwhile is left out.
   */
  long stall() {
    return stall;
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
      stall = Math.max(stall, now - last - (Stolen.nanos() - stolen));
    }
    last = now;
    if (now - sampled > SHORT_NANOS) {
      sample(now);
    }
  }

  private void sample(long now) {
    stolen = Stolen.nanos();
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
        long messages = victim.work(Long.parseLong(line) * 1_000_000);
        System.out.println(messages + " " + victim.stall() / 1000);
      }
    }
  }
}
