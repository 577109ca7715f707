package dev.bluebell.lab.compare;

import dev.bluebell.program.Data;
import dev.bluebell.program.Program;
import dev.bluebell.program.offload.Tables;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The data of a program in memory that the host and its clients can access, with its initial
 * content. One thread at a time; requests of clients are atomic with respect to it.
 */
public final class HostTables implements Tables, AutoCloseable {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORDS = WORD.varHandle();
  private static final ValueLayout.OfLong POINTER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Map<Data, Long> offsets = new LinkedHashMap<>();
  private final MemoryRegion region;

  /** Allocates the data of a program in a domain. */
  public HostTables(ProtectionDomain domain, Program program) {
    long bytes = 0;
    for (Data data : program.data()) {
      offsets.put(data, bytes);
      bytes += data.bytes() + 7 & ~7;
    }
    region =
        domain.allocate(
            Math.max(1, bytes),
            Access.LOCAL_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_WRITE,
            Access.REMOTE_ATOMIC);
    offsets.forEach(this::fill);
  }

  private void fill(Data data, long offset) {
    MemorySegment at = region.segment().asSlice(offset, data.bytes());
    at.copyFrom(MemorySegment.ofArray(data.content()));
    data.pointers()
        .forEach((where, to) -> at.set(POINTER, where, address(to.data()) + to.offset()));
  }

  /** The memory, which clients access by requests. */
  public MemoryRegion region() {
    return region;
  }

  /** The address of each piece of data. */
  public Map<Data, Long> addresses() {
    Map<Data, Long> addresses = new LinkedHashMap<>();
    offsets.keySet().forEach(data -> addresses.put(data, address(data)));
    return Collections.unmodifiableMap(addresses);
  }

  @Override
  public long address(Data data) {
    return region.address() + Objects.requireNonNull(offsets.get(data));
  }

  private MemorySegment slice(long address, long bytes) {
    return region.segment().asSlice(address - region.address(), bytes);
  }

  /** Current content of data. */
  public byte[] read(Data data) {
    return read(address(data), data.bytes());
  }

  @Override
  public byte[] read(long address, int bytes) {
    return slice(address, bytes).toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public byte[][] readAll(long[] addresses, int bytesEach) {
    byte[][] read = new byte[addresses.length][];
    for (int i = 0; i < addresses.length; i++) {
      read[i] = read(addresses[i], bytesEach);
    }
    return read;
  }

  @Override
  public void write(long address, byte[] content) {
    slice(address, content.length).copyFrom(MemorySegment.ofArray(content));
  }

  @Override
  public long compareAndSwap(long address, long expected, long desired) {
    return (long) WORDS.compareAndExchange(slice(address, Long.BYTES), 0L, expected, desired);
  }

  @Override
  public long exchange(long address, long value) {
    return (long) WORDS.getAndSet(slice(address, Long.BYTES), 0L, value);
  }

  @Override
  public long fetchAndAdd(long address, long addend, long fieldEnds) {
    MemorySegment word = slice(address, Long.BYTES);
    while (true) {
      long before = word.get(WORD, 0);
      // The ends are added without carry, so a carry from below stops there.
      long sum = (before & ~fieldEnds) + (addend & ~fieldEnds) ^ (before ^ addend) & fieldEnds;
      if (WORDS.compareAndSet(word, 0L, before, sum)) {
        return before;
      }
    }
  }

  @Override
  public void close() {
    region.close();
  }
}
