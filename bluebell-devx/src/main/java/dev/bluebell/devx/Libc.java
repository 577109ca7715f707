package dev.bluebell.devx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.bluebell.hca.uverbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The functions of the C library for device files, on 64-bit Linux. Each returns the function's
 * result, or minus errno. Invariant of every caller: the pointers it passes stay valid during the
 * call and point to at least as many bytes as it states.
 *
 * <p>They are looked up by {@code dlsym(RTLD_DEFAULT)}, as C programs do, because a preloaded
 * library may override them; {@link Linker#defaultLookup} searches only the C library.
 */
final class Libc {
  private static final int O_RDWR = 2;
  private static final int O_CLOEXEC = 0x80000;
  private static final int EFD_CLOEXEC = 0x80000;
  private static final int F_SETFL = 4;

  // poll.h.
  static final short POLLIN = 1;
  static final short POLLERR = 8;
  static final short POLLHUP = 0x10;
  private static final int POLLFD_BYTES = 8;
  private static final long POLLFD_EVENTS = 4;
  private static final long POLLFD_REVENTS = 6;
  private static final int NO_TIMEOUT = -1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Where a call stores errno, one per thread. */
  private static final ThreadLocal<MemorySegment> CAPTURED =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  private static final MethodHandle DLSYM =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("dlsym"),
          FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));

  private static final MethodHandle OPEN =
      find("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), variadicFrom(2));
  private static final MethodHandle IOCTL =
      find("ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), variadicFrom(2));
  private static final MethodHandle READ =
      find("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle WRITE =
      find("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle POLL =
      find("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle FCNTL =
      find(
          "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG), variadicFrom(2));
  private static final MethodHandle CLOSE =
      find("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle EVENTFD =
      find("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle MMAP =
      find(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      find("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

  private Libc() {}

  private static Linker.Option variadicFrom(int argument) {
    return Linker.Option.firstVariadicArg(argument);
  }

  private static MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... variadic) {
    Linker.Option[] options = new Linker.Option[variadic.length + 1];
    System.arraycopy(variadic, 0, options, 0, variadic.length);
    options[variadic.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(symbol(name), type, options);
  }

  private static MemorySegment symbol(String name) {
    MemorySegment found;
    try (Arena arena = Arena.ofConfined()) {
      // RTLD_DEFAULT is a null pointer.
      found = (MemorySegment) DLSYM.invokeExact(MemorySegment.NULL, arena.allocateFrom(name));
    } catch (Throwable e) {
      throw new LinkageError("dlsym failed", e);
    }
    if (found.equals(MemorySegment.NULL)) {
      throw new UnsatisfiedLinkError("the C library has no " + name);
    }
    return found;
  }

  /** A call; its first argument is the place for errno. */
  private interface Call {
    long run(MemorySegment errno) throws Throwable;
  }

  private static long result(Call call) {
    MemorySegment errno = CAPTURED.get();
    try {
      long result = call.run(errno);
      return result == -1 ? -(int) ERRNO.get(errno, 0L) : result;
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }

  /** Opens a file for reading and writing. */
  static int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path);
      return (int) result(e -> (int) OPEN.invokeExact(e, name, O_RDWR | O_CLOEXEC));
    }
  }

  static int ioctl(int fd, long request, MemorySegment argument) {
    return (int) result(e -> (int) IOCTL.invokeExact(e, fd, request, argument));
  }

  static int read(int fd, MemorySegment bytes) {
    return (int) result(e -> (long) READ.invokeExact(e, fd, bytes, bytes.byteSize()));
  }

  static int write(int fd, MemorySegment bytes) {
    return (int) result(e -> (long) WRITE.invokeExact(e, fd, bytes, bytes.byteSize()));
  }

  /**
   * Waits until files can be read or have failed.
   *
   * @return the state of each, of bits such as {@link #POLLIN}; all 0 after a signal, and all
   *     {@link #POLLERR} when it can't wait
   */
  static short[] poll(int... files) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment descriptors = arena.allocate((long) files.length * POLLFD_BYTES, Integer.BYTES);
      for (int i = 0; i < files.length; i++) {
        long at = (long) i * POLLFD_BYTES;
        descriptors.set(JAVA_INT, at, files[i]);
        descriptors.set(JAVA_SHORT, at + POLLFD_EVENTS, POLLIN);
      }
      long ready =
          result(e -> (int) POLL.invokeExact(e, descriptors, (long) files.length, NO_TIMEOUT));
      short[] states = new short[files.length];
      for (int i = 0; i < files.length; i++) {
        states[i] =
            ready < 0 && ready != -Errno.EINTR
                ? POLLERR
                : descriptors.get(JAVA_SHORT, (long) i * POLLFD_BYTES + POLLFD_REVENTS);
      }
      return states;
    }
  }

  /** Sets the flags of an open file. */
  static int setFlags(int fd, long flags) {
    return (int) result(e -> (int) FCNTL.invokeExact(e, fd, F_SETFL, flags));
  }

  /** Errors are ignored: the descriptor is closed in any case. */
  static void close(int fd) {
    long unused = result(e -> (int) CLOSE.invokeExact(e, fd));
  }

  static int eventfd() {
    return (int) result(e -> (int) EVENTFD.invokeExact(e, 0, EFD_CLOEXEC));
  }

  /** Makes an eventfd readable, from now on. */
  static void signal(int eventfd) {
    try (Arena arena = Arena.ofConfined()) {
      int unused = write(eventfd, arena.allocateFrom(JAVA_LONG, 1));
    }
  }

  static long mmap(long address, long bytes, int protection, int flags, int fd, long offset) {
    return result(e -> (long) MMAP.invokeExact(e, address, bytes, protection, flags, fd, offset));
  }

  /** Errors are ignored: unmapping a mapped range can't fail. */
  static void munmap(long address, long bytes) {
    long unused = result(e -> (int) MUNMAP.invokeExact(e, address, bytes));
  }
}
