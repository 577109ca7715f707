package dev.bluebell.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory of this process that other processes map by its descriptor. Its size is sealed, so no
 * process can truncate it.
 *
 * <p>Invariant: {@link #segment} is valid until {@link #close}, which must come after the last
 * access. Thread-safe.
 */
public final class SharedMemory implements AutoCloseable {
  /** Pages are the unit of sharing. */
  public static final int PAGE_BYTES = 4096;

  /** More than a process can map. */
  private static final long LONG_FILE_BYTES = 1L << 47;

  private static final int F_ADD_SEALS = 1033;
  private static final int F_GET_SEALS = 1034;
  private static final int F_SEAL_SEAL_SHRINK_GROW = 1 | 2 | 4;

  private final int fd;
  private final MemorySegment segment;
  private boolean closed;
  private boolean descriptorClosed;

  /**
   * Makes zeroed memory.
   *
   * @param name for /proc
   * @param bytes a multiple of {@link #PAGE_BYTES}
   */
  public SharedMemory(String name, long bytes) throws IOException {
    this(name, bytes, bytes, bytes);
  }

  /**
   * Makes zeroed memory that a process which has mapped it can enlarge with mremap: the file is
   * longer than the memory, and the kernel provides a page behind it at the first access.
   *
   * @param name for /proc
   * @param bytes a multiple of {@link #PAGE_BYTES}
   */
  public static SharedMemory growing(String name, long bytes) throws IOException {
    return new SharedMemory(name, LONG_FILE_BYTES, bytes, bytes);
  }

  /**
   * Makes memory whose pages must be reserved before the first access.
   *
   * @param name for /proc
   * @param bytes a multiple of {@link #PAGE_BYTES}
   */
  public static SharedMemory sparse(String name, long bytes) throws IOException {
    return new SharedMemory(name, bytes, bytes, 0);
  }

  private SharedMemory(String name, long fileBytes, long bytes, long reserved) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      fd = Libc.memfdCreate(arena.allocateFrom(name));
    }
    try {
      Libc.ftruncate(fd, fileBytes);
      if (reserved > 0) {
        reserve(0, reserved);
      }
      int sealed = Libc.fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL_SHRINK_GROW);
      if (sealed != 0) {
        throw new IOException("shared memory can't be sealed");
      }
      segment = MemorySegment.ofAddress(Libc.mmap(bytes, fd, 0)).reinterpret(bytes);
    } catch (IOException e) {
      Libc.close(fd);
      throw e;
    }
  }

  /**
   * Allocates pages: an access to a page that the kernel can't provide kills this process by a
   * signal.
   *
   * @param offset a multiple of {@link #PAGE_BYTES}, as is {@code bytes}
   */
  public final void reserve(long offset, long bytes) throws IOException {
    Libc.fallocate(fd, offset, bytes);
  }

  public int fd() {
    return fd;
  }

  /** The inode of the memory, as in {@code /proc/PID/maps}; the descriptor must be open. */
  public long inode() throws IOException {
    return (long) Files.getAttribute(Path.of("/proc/self/fd", Integer.toString(fd)), "unix:ino");
  }

  public MemorySegment segment() {
    return segment;
  }

  /** Closes the descriptor, once all processes that share the memory have it. */
  public synchronized void closeDescriptor() {
    if (!descriptorClosed) {
      descriptorClosed = true;
      Libc.close(fd);
    }
  }

  /**
   * Maps memory that another process made, and closes its descriptor.
   *
   * @param fd the descriptor, which is the caller's; negative if none arrived, because this process
   *     has too many
   * @param offset of the first byte, a multiple of {@link #PAGE_BYTES}
   * @param bytes of the memory; a sealed size can't shrink under the mapping
   * @param freed called some time after the memory becomes unreachable, before it is unmapped
   * @return memory of an automatic arena
   */
  public static MemorySegment map(int fd, long offset, long bytes, Runnable freed)
      throws IOException {
    int arrived = LocalSocket.requireArrived("shared memory", fd);
    try {
      if ((Libc.fcntl(arrived, F_GET_SEALS, 0) & F_SEAL_SEAL_SHRINK_GROW)
          != F_SEAL_SEAL_SHRINK_GROW) {
        throw new IOException("the size of shared memory is not sealed");
      }
      return MemorySegment.ofAddress(Libc.mmap(bytes, arrived, offset))
          .reinterpret(bytes, Arena.ofAuto(), mapped -> unmap(mapped, freed));
    } finally {
      Libc.close(arrived);
    }
  }

  private static void unmap(MemorySegment mapped, Runnable freed) {
    try {
      freed.run();
      Libc.munmap(mapped.address(), mapped.byteSize());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      closeDescriptor();
      Libc.munmap(segment.address(), segment.byteSize());
    }
  }
}
