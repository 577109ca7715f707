package dev.bluebell.lab.storm;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_READ;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that connects, works and disconnects: it sends messages of random kinds and sizes
 * between two queue pairs, from shared and from private memory, and compares all bytes. For each
 * input line with a number, it sends that many messages, some per millisecond, and prints the
 * number of correct ones.
 */
final class Worker implements AutoCloseable {
  private static final int BYTES = 1 << 18;
  private static final int PER_REST = 16;
  private static final long REST_NANOS = 1_000_000;

  private final Device device;
  private final CompletionQueue completions;
  private final MemoryRegion left;
  private final MemoryRegion right;
  private final RcQueuePair queue;
  private final RcQueuePair peer;
  private final Random random;
  private int awaited;

  Worker(String name, long seed) {
    random = new Random(seed);
    device = Device.open(name);
    ProtectionDomain domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(64);
    left = memory(domain);
    right = memory(domain);
    queue = domain.rcQueuePair(completions).create();
    peer = domain.rcQueuePair(completions).create();
    queue.connect(peer.endpoint());
    peer.connect(queue.endpoint());
  }

  private MemoryRegion memory(ProtectionDomain domain) {
    return random.nextBoolean()
        ? domain.allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ)
        : domain.register(
            Arena.ofAuto().allocate(BYTES, 4096), LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
  }

  /** Sends one message and compares all bytes. */
  void exchange() {
    int count = 1 + random.nextInt(1 << random.nextInt(1, 18));
    long from = random.nextInt(BYTES - count + 1);
    long to = random.nextInt(BYTES - count + 1);
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    int kind = random.nextInt(3);
    MemoryRegion source = kind == 2 ? right : left;
    MemoryRegion target = kind == 2 ? left : right;
    MemorySegment.copy(bytes, 0, source.segment(), ValueLayout.JAVA_BYTE, from, count);
    switch (kind) {
      case 0 ->
          queue
              .write(right.address() + to, right.rkey())
              .gather(left, from, count)
              .signaled(awaited = 1);
      case 1 -> {
        peer.receive().scatter(right, to, count).post(2);
        peer.ringReceiveDoorbell();
        queue.send().gather(left, from, count).signaled(awaited = 1);
        awaited = 2;
      }
      default ->
          queue
              .read(right.address() + from, right.rkey())
              .scatter(left, to, count)
              .signaled(awaited = 1);
    }
    queue.ringDoorbell();
    while (awaited > 0) {
      if (completions.poll(this::check) == 0) {
        Thread.onSpinWait();
      }
    }
    MemorySegment arrived = target.segment().asSlice(to, count);
    if (arrived.mismatch(MemorySegment.ofArray(bytes)) >= 0) {
      throw new IllegalStateException("a message of %d bytes was lost".formatted(count));
    }
  }

  private void check(Completion completion) {
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw new IllegalStateException("a message failed: " + completions.diagnose());
    }
    awaited--;
  }

  @Override
  public void close() {
    device.close();
  }

  /**
   * Runs the worker process.
   *
   * @param arguments name of the device, and a seed
   */
  public static void main(String[] arguments) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (Worker worker = new Worker(arguments[0], Long.parseLong(arguments[1]))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int count = Integer.parseInt(line);
        for (int i = 1; i <= count; i++) {
          worker.exchange();
          if (i % PER_REST == 0) {
            LockSupport.parkNanos(REST_NANOS);
          }
        }
        System.out.println(count);
      }
    }
  }
}
