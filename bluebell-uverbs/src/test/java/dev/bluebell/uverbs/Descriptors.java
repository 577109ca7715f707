package dev.bluebell.uverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** File descriptors of this process, as a client uses them. */
final class Descriptors {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle READ =
      handle("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  private Descriptors() {}

  private static MethodHandle handle(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  /** Waits for something to read, and reads up to {@code room} bytes of it. */
  static byte[] read(int fd, int room) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(room);
      long count = (long) READ.invokeExact(fd, bytes, bytes.byteSize());
      return bytes.asSlice(0, count).toArray(JAVA_BYTE);
    } catch (Throwable e) {
      throw new AssertionError("read of descriptor " + fd, e);
    }
  }

  /**
   * Maps pages over those that are there, with their contents.
   *
   * @param fd of shared memory; -1 for memory of this process
   */
  static void replacePages(long address, long bytes, int fd) {
    MemorySegment pages = MemorySegment.ofAddress(address).reinterpret(bytes);
    byte[] contents = pages.toArray(JAVA_BYTE);
    int flags = MAP_FIXED | (fd < 0 ? MAP_PRIVATE_ANONYMOUS : MAP_SHARED);
    try {
      long mapped = (long) MMAP.invokeExact(pages, bytes, PROT_READ_WRITE, flags, fd, 0L);
      if (mapped != address) {
        throw new IllegalStateException("mmap found no memory");
      }
    } catch (Throwable e) {
      throw new AssertionError("mmap of descriptor " + fd, e);
    }
    pages.copyFrom(MemorySegment.ofArray(contents));
  }

  /** Changes how this process may access pages: PROT_READ is 1, and PROT_WRITE 2. */
  static void protect(long address, long bytes, int protection) {
    try {
      int failed = (int) MPROTECT.invokeExact(MemorySegment.ofAddress(address), bytes, protection);
      if (failed != 0) {
        throw new IllegalStateException("mprotect was refused");
      }
    } catch (Throwable e) {
      throw new AssertionError("mprotect of 0x%x".formatted(address), e);
    }
  }

  static void close(int fd) {
    try {
      int unused = (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw new AssertionError("close of descriptor " + fd, e);
    }
  }
}
