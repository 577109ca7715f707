package dev.bluebell.lab.compare;

import dev.bluebell.program.Data;
import dev.bluebell.program.install.Completions;
import dev.bluebell.program.install.Idling;
import dev.bluebell.program.offload.Tables;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The data of a program as a client accesses it without the server's help: by READs and atomics,
 * each of which costs a round trip to the host. One thread at a time.
 */
public final class RemoteTables implements Tables, AutoCloseable {
  private static final int MAX_REQUESTS = 16;
  private static final int MAX_BYTES = 4096;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Map<Data, Long> addresses;
  private final int rkey;
  private final CompletionQueue completions;
  private final RcQueuePair pair;
  private final MemoryRegion buffer;
  private long answeredAt;

  /**
   * Connects a client to a host on the same device.
   *
   * @param host the tables, in the same or another domain
   * @param hostDomain the domain of the tables
   */
  public RemoteTables(
      Device device, ProtectionDomain domain, HostTables host, ProtectionDomain hostDomain) {
    addresses = host.addresses();
    rkey = host.region().rkey();
    completions = device.createCompletionQueue(MAX_REQUESTS);
    closings.push(completions::close);
    pair = domain.rcQueuePair(completions).sendQueue(2 * MAX_REQUESTS).maxGather(4).create();
    closings.push(pair::close);
    RcQueuePair peer = hostDomain.rcQueuePair(completions).create();
    closings.push(peer::close);
    buffer = domain.allocate((long) MAX_REQUESTS * MAX_BYTES, Access.LOCAL_WRITE);
    closings.push(buffer::close);
    pair.connect(peer.endpoint(), ConnectOptions.DEFAULT);
    peer.connect(pair.endpoint(), ConnectOptions.DEFAULT);
  }

  @Override
  public long address(Data data) {
    return Objects.requireNonNull(addresses.get(data));
  }

  @Override
  public byte[] read(long address, int bytes) {
    return readAll(new long[] {address}, bytes)[0];
  }

  @Override
  public byte[][] readAll(long[] from, int bytesEach) {
    if (from.length > MAX_REQUESTS || bytesEach > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a client reads up to %d bytes in %d places at once".formatted(MAX_BYTES, MAX_REQUESTS));
    }
    for (int i = 0; i < from.length; i++) {
      pair.read(from[i], rkey).scatter(buffer, (long) i * MAX_BYTES, bytesEach).signaled(i);
    }
    await(from.length);
    byte[][] read = new byte[from.length][];
    for (int i = 0; i < from.length; i++) {
      read[i] =
          buffer.segment().asSlice((long) i * MAX_BYTES, bytesEach).toArray(ValueLayout.JAVA_BYTE);
    }
    return read;
  }

  @Override
  public void write(long address, byte[] content) {
    long slot = (long) (MAX_REQUESTS - 1) * MAX_BYTES;
    buffer.segment().asSlice(slot, content.length).copyFrom(MemorySegment.ofArray(content));
    pair.write(address, rkey).gather(buffer, slot, content.length).signaled(0);
    await(1);
  }

  @Override
  public long compareAndSwap(long address, long expected, long desired) {
    pair.compareAndSwap(address, rkey, expected, desired).scatter(buffer, 0).signaled(0);
    return awaitWord();
  }

  @Override
  public long exchange(long address, long value) {
    pair.maskedCompareAndSwap8(address, rkey, 0, value, 0, -1).scatter(buffer, 0).signaled(0);
    return awaitWord();
  }

  @Override
  public long fetchAndAdd(long address, long addend) {
    pair.fetchAndAdd(address, rkey, addend).scatter(buffer, 0).signaled(0);
    return awaitWord();
  }

  @Override
  public long fetchAndAdd(long address, long addend, long fieldEnds) {
    pair.maskedFetchAndAdd8(address, rkey, addend, fieldEnds).scatter(buffer, 0).signaled(0);
    return awaitWord();
  }

  private long awaitWord() {
    await(1);
    return buffer.segment().get(ValueLayout.JAVA_LONG, 0);
  }

  private void await(int requests) {
    pair.ringDoorbell();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    Idling idling = new Idling();
    for (int left = requests; left > 0; ) {
      Completion completion = completions.poll();
      if (completion == null) {
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException(
              "%d of %d requests were not answered within 30 s".formatted(left, requests));
        }
        idling.idle();
      } else {
        Completions.check(completion);
        answeredAt = completion.timestamp();
        left--;
      }
    }
  }

  /** Time of the last response, on the device's clock. */
  public long answeredAt() {
    return answeredAt;
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
