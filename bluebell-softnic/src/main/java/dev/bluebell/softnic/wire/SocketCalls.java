package dev.bluebell.softnic.wire;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The datagram functions of the C library on 64-bit Linux. Each method returns the function's
 * result, or minus errno, and allocates nothing. Invariant of every caller: the pointers that it
 * passes stay valid during the call, and refer to as many bytes as it states. One thread at a time
 * calls the methods of an instance; any thread may call {@link #signal} and {@link #close}.
 */
final class SocketCalls {
  static final int EINTR = 4;
  static final int EAGAIN = 11;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle SOCKET = find("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle BIND = find("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle SETSOCKOPT =
      find("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle GETSOCKOPT =
      find("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SENDMMSG =
      find("sendmmsg", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle RECVMMSG =
      find("recvmmsg", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle PPOLL =
      find("ppoll", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle EVENTFD = find("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle EVENTFD_READ =
      find("eventfd_read", JAVA_INT, JAVA_INT, ADDRESS);

  private static final MethodHandle EVENTFD_WRITE =
      plain("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle CLOSE =
      plain("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle STRERROR =
      plain("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private final MemorySegment errno;
  private final MemorySegment value;
  private final MemorySegment valueBytes;

  /**
   * @param arena lives as long as this
   */
  SocketCalls(Arena arena) {
    errno = arena.allocate(STATE);
    value = arena.allocate(JAVA_INT);
    valueBytes = arena.allocate(JAVA_INT);
  }

  private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        Linker.Option.captureCallState("errno"));
  }

  private static MethodHandle plain(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  private int result(int returned) {
    return returned == -1 ? -(int) ERRNO.get(errno, 0L) : returned;
  }

  private static LinkageError failed(Throwable e) {
    return new LinkageError("a call of the C library failed", e);
  }

  int socket(int domain, int type) {
    try {
      return result((int) SOCKET.invokeExact(errno, domain, type, 0));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  int bind(int fd, MemorySegment address) {
    try {
      return result((int) BIND.invokeExact(errno, fd, address, (int) address.byteSize()));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Sets an int option of a socket. */
  int setOption(int fd, int level, int option, int setting) {
    value.set(JAVA_INT, 0, setting);
    try {
      return result(
          (int) SETSOCKOPT.invokeExact(errno, fd, level, option, value, (int) value.byteSize()));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** The value of an int option of a socket; the options used here are never negative. */
  int option(int fd, int level, int option) {
    valueBytes.set(JAVA_INT, 0, Integer.BYTES);
    try {
      int got = (int) GETSOCKOPT.invokeExact(errno, fd, level, option, value, valueBytes);
      return got == 0 ? value.get(JAVA_INT, 0) : result(got);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  int sendmmsg(int fd, MemorySegment messages, int count, int flags) {
    try {
      return result((int) SENDMMSG.invokeExact(errno, fd, messages, count, flags));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  int recvmmsg(int fd, MemorySegment messages, int count, int flags) {
    try {
      return result(
          (int) RECVMMSG.invokeExact(errno, fd, messages, count, flags, MemorySegment.NULL));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  int ppoll(MemorySegment fds, long count, MemorySegment timeout) {
    try {
      return result((int) PPOLL.invokeExact(errno, fds, count, timeout, MemorySegment.NULL));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  int eventfd(int flags) {
    try {
      return result((int) EVENTFD.invokeExact(errno, 0, flags));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Clears the signal, if there is one. */
  int takeSignal(int eventfd, MemorySegment value) {
    try {
      return result((int) EVENTFD_READ.invokeExact(errno, eventfd, value));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Makes an eventfd readable. */
  static int signal(int eventfd) {
    try {
      return (int) EVENTFD_WRITE.invokeExact(eventfd, 1L);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  static int close(int fd) {
    try {
      return (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** The C library's text for an error. */
  static String text(int error) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(error);
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw failed(e);
    }
  }
}
