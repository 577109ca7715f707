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

/** File descriptors of this process, as a program uses them. */
final class Descriptors {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle READ =
      handle("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

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

  static void close(int fd) {
    try {
      int unused = (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw new AssertionError("close of descriptor " + fd, e);
    }
  }
}
