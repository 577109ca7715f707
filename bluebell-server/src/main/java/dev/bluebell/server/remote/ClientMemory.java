package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaException;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a client shares with the device process. The device process allocates it; this class
 * maps it, and returns it once the client's garbage collector finds it unreachable. Thread-safe.
 */
final class ClientMemory {
  /** No queue is larger; larger memory is payload, which the device reaches like other memory. */
  static final long MAX_SHARED_BYTES = 1L << 30;

  private static final int ATTEMPTS = 4;
  private static final long COLLECT_MILLIS = 1_000;

  private final Connection connection;

  /** The mapped memory, by the address of its first byte. */
  private final TreeMap<Long, Mapped> mapped = new TreeMap<>();

  /** Memory to return later: a collector's thread must not wait for an answer. */
  private final BlockingQueue<Integer> unused = new LinkedBlockingQueue<>();

  /** Shared memory by its number in the device process. */
  private record Mapped(int number, long bytes) {}

  /** A place in shared memory. */
  record Place(int number, long offset) {}

  ClientMemory(Connection connection) {
    this.connection = connection;
  }

  MemorySegment allocate(long bytes) {
    if (bytes > MAX_SHARED_BYTES) {
      return Arena.ofAuto().allocate(bytes, SharedMemory.PAGE_BYTES);
    }
    long whole = -(-bytes & -SharedMemory.PAGE_BYTES);
    Connection.Answer answer = request(whole);
    int number = answer.message().takeInt();
    try {
      return map(answer.descriptor(), whole, number).asSlice(0, bytes);
    } catch (IOException e) {
      giveBack(number);
      throw Connection.failure(e);
    }
  }

  private Connection.Answer request(long bytes) {
    for (int attempt = 1; ; attempt++) {
      giveBack();
      try {
        return connection.callForMemory(Message.of(Message.Request.ALLOCATE_MEMORY).put(bytes));
      } catch (HcaException e) {
        if (attempt == ATTEMPTS || connection.isOver()) {
          throw e;
        }
        collect();
      }
    }
  }

  // The collector does not know how much shared memory its small objects represent.
  private void collect() {
    System.gc();
    try {
      Integer number = unused.poll(COLLECT_MILLIS, TimeUnit.MILLISECONDS);
      if (number != null) {
        giveBack(number);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private MemorySegment map(int descriptor, long bytes, int number) throws IOException {
    // The cleanup can't run before the address is known: the segment is reachable until then.
    long[] address = new long[1];
    MemorySegment segment =
        SharedMemory.map(descriptor, 0, bytes, () -> forget(address[0], number));
    address[0] = segment.address();
    synchronized (this) {
      mapped.put(segment.address(), new Mapped(number, bytes));
    }
    return segment;
  }

  private synchronized void forget(long address, int number) {
    mapped.remove(address);
    unused.add(number);
  }

  private void giveBack() {
    for (Integer number = unused.poll(); number != null; number = unused.poll()) {
      giveBack(number);
    }
  }

  private void giveBack(int number) {
    connection.request(Message.of(Message.Request.FREE_MEMORY).put(number));
  }

  /** The place of a range in shared memory; null when it is not in shared memory. */
  synchronized @Nullable Place find(MemorySegment memory) {
    Map.Entry<Long, Mapped> before = mapped.floorEntry(memory.address());
    if (before == null) {
      return null;
    }
    long offset = memory.address() - before.getKey();
    Mapped range = before.getValue();
    return memory.byteSize() <= range.bytes() - offset ? new Place(range.number(), offset) : null;
  }

  /** Like {@link #find}, but throws for memory that is not shared with the device process. */
  Place require(MemorySegment memory) throws HcaException {
    Place place = find(memory);
    if (place == null) {
      throw Connection.failure(
          "the device process can't map the memory at 0x%x: queues and doorbell records of a shared device must be in memory of Hca.allocate"
              .formatted(memory.address()));
    }
    return place;
  }
}
