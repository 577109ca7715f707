package dev.bluebell.uverbs.call;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.ProcessMemory;
import dev.bluebell.server.WatchedProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Access to the client's memory for the arguments of calls. An unmapped address is EFAULT. For one
 * thread.
 */
public final class ClientMemory {
  /** The length of the longest argument of a call. */
  private static final int MAX_BYTES = 1 << 16;

  private final ProcessMemory memory;

  public ClientMemory(WatchedProcess process) {
    memory = new ProcessMemory(process);
  }

  public byte[] read(long address, int bytes) {
    Refusal.require(bytes <= MAX_BYTES, Errno.EINVAL, "an argument of %d bytes is too long", bytes);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(bytes, Long.BYTES);
      Refusal.require(
          memory.read(address, segment),
          Errno.EFAULT,
          "%d bytes at 0x%x of the client can't be read",
          bytes,
          address);
      return segment.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  public void write(long address, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      Refusal.require(
          memory.write(address, segment),
          Errno.EFAULT,
          "%d bytes at 0x%x of the client can't be written",
          bytes.length,
          address);
    }
  }
}
