package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.nio.file.Path;

/**
 * The functions of the C library that this package calls, on 64-bit Linux. Invariant of every
 * caller: the pointers it passes stay valid during the call and point to at least as many bytes as
 * it states.
 */
final class Libc {
  static final short AF_UNIX = 1;
  static final short POLLIN = 1;
  static final int MSG_DONTWAIT = 0x40;
  static final int SHUT_RD = 0;

  // Error numbers.
  static final int ESRCH = 3;
  static final int EINTR = 4;
  static final int EAGAIN = 11;

  /** A flag of open, whose value depends on the processor. */
  static final int O_NOFOLLOW = System.getProperty("os.arch").equals("aarch64") ? 0100000 : 0400000;

  // Flags of calls that always have them.
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int SEQPACKET = SOCK_CLOEXEC | 5;
  private static final int SEND_FLAGS = MSG_DONTWAIT | 0x4000; // MSG_NOSIGNAL
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;
  private static final int O_CLOEXEC = 02000000;
  private static final int MFD_CLOEXEC_SEALING = 1 | 2;
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_SHARED = 1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Where a call stores errno, one per thread. */
  private static final ThreadLocal<MemorySegment> CAPTURED =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  private static final MethodHandle SOCKET = find("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle SOCKETPAIR =
      find("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle BIND = find("bind", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = find("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle ACCEPT4 = find("accept4", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle CONNECT = find("connect", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle GETSOCKOPT =
      find("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SETSOCKOPT =
      find("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle SENDMSG = findLong("sendmsg", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle RECVMSG = findLong("recvmsg", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle SEND = findLong("send", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle RECV = findLong("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SHUTDOWN = find("shutdown", JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = find("close", JAVA_INT);
  private static final MethodHandle POLL = find("poll", ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle MEMFD_CREATE = find("memfd_create", ADDRESS, JAVA_INT);
  private static final MethodHandle FTRUNCATE = find("ftruncate", JAVA_INT, JAVA_LONG);
  private static final MethodHandle FALLOCATE =
      find("fallocate", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FCNTL =
      handle(
          "fcntl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle MMAP =
      findLong("mmap", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUNMAP = find("munmap", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SYSCALL =
      handle(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle OPEN =
      handle(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle IOCTL =
      handle(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle STATX =
      find("statx", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle SETSID = find("setsid");
  private static final MethodHandle GETUID = find("getuid");
  private static final MethodHandle PRCTL =
      handle(
          "prctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG),
          Linker.Option.firstVariadicArg(1));

  private static final MethodHandle SCHED_SETSCHEDULER =
      find("sched_setscheduler", JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle SCHED_GETAFFINITY =
      find("sched_getaffinity", JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle SCHED_SETAFFINITY =
      find("sched_setaffinity", JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle SCHED_GETCPU = find("sched_getcpu");
  private static final MethodHandle GETTID = find("gettid");
  private static final MethodHandle SETPRIORITY = find("setpriority", JAVA_INT, JAVA_INT, JAVA_INT);

  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(
          // The first is in English, whatever the locale is, and in glibc 2.32 or later.
          LINKER
              .defaultLookup()
              .find("strerrordesc_np")
              .orElseGet(() -> LINKER.defaultLookup().findOrThrow("strerror")),
          FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private Libc() {}

  private static MethodHandle find(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static MethodHandle findLong(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(JAVA_LONG, arguments));
  }

  private static MethodHandle handle(
      String name, FunctionDescriptor type, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    System.arraycopy(options, 0, all, 0, options.length);
    all[options.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, all);
  }

  /** A call; its first argument is the place for errno. */
  private interface Call {
    long run(MemorySegment errno) throws Throwable;
  }

  /** The result of a call; minus errno when the call returned -1. */
  private static long result(Call call) {
    MemorySegment errno = CAPTURED.get();
    try {
      long result = call.run(errno);
      return result == -1 ? -(int) ERRNO.get(errno, 0L) : result;
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }

  /** The C library's text for an error number. */
  static String text(long errno) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact((int) errno);
      return text.equals(MemorySegment.NULL)
          ? "errno " + errno
          : text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }

  private static int check(String what, long result) throws IOException {
    if (result < 0) {
      throw new IOException("%s failed: %s".formatted(what, text(-result)));
    }
    return (int) result;
  }

  /** A Unix socket with message boundaries. */
  static int socket() throws IOException {
    return check("socket", result(e -> (int) SOCKET.invokeExact(e, (int) AF_UNIX, SEQPACKET, 0)));
  }

  /** Two connected ones of {@link #socket}. */
  static void socketpair(MemorySegment fds) throws IOException {
    check(
        "socketpair",
        result(e -> (int) SOCKETPAIR.invokeExact(e, (int) AF_UNIX, SEQPACKET, 0, fds)));
  }

  static void bind(int fd, MemorySegment address) throws IOException {
    int size = (int) address.byteSize();
    check("bind", result(e -> (int) BIND.invokeExact(e, fd, address, size)));
  }

  static void listen(int fd, int backlog) throws IOException {
    check("listen", result(e -> (int) LISTEN.invokeExact(e, fd, backlog)));
  }

  static int accept(int fd) throws IOException {
    MemorySegment none = MemorySegment.NULL;
    return check("accept", result(e -> (int) ACCEPT4.invokeExact(e, fd, none, none, SOCK_CLOEXEC)));
  }

  static void connect(int fd, MemorySegment address) throws IOException {
    int size = (int) address.byteSize();
    check("connect", result(e -> (int) CONNECT.invokeExact(e, fd, address, size)));
  }

  static void getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length)
      throws IOException {
    check("getsockopt", tryGetsockopt(fd, level, option, value, length));
  }

  /** 0, or minus errno. */
  static long tryGetsockopt(
      int fd, int level, int option, MemorySegment value, MemorySegment length) {
    return result(e -> (int) GETSOCKOPT.invokeExact(e, fd, level, option, value, length));
  }

  /** 0, or minus errno. */
  static long setsockopt(int fd, int level, int option, MemorySegment value) {
    int size = (int) value.byteSize();
    return result(e -> (int) SETSOCKOPT.invokeExact(e, fd, level, option, value, size));
  }

  /** Sends without waiting. Bytes sent, or minus errno. */
  static long sendmsg(int fd, MemorySegment message) {
    return result(e -> (long) SENDMSG.invokeExact(e, fd, message, SEND_FLAGS));
  }

  /** Bytes received, 0 at the end, or minus errno. */
  static long recvmsg(int fd, MemorySegment message, int flags) {
    return result(e -> (long) RECVMSG.invokeExact(e, fd, message, MSG_CMSG_CLOEXEC | flags));
  }

  /** Sends without waiting. Bytes sent, or minus errno. */
  static long send(int fd, MemorySegment bytes) {
    return result(e -> (long) SEND.invokeExact(e, fd, bytes, bytes.byteSize(), SEND_FLAGS));
  }

  /** Bytes received, 0 at the end, or minus errno. */
  static long recv(int fd, MemorySegment bytes, int flags) {
    return result(e -> (long) RECV.invokeExact(e, fd, bytes, bytes.byteSize(), flags));
  }

  /** Errors are ignored: a socket that is not connected is as good as shut down. */
  @SuppressWarnings("CheckReturnValue")
  static void shutdown(int fd, int how) {
    result(e -> (int) SHUTDOWN.invokeExact(e, fd, how));
  }

  /** Errors are ignored: the descriptor is closed in any case. */
  @SuppressWarnings("CheckReturnValue")
  static void close(int fd) {
    result(e -> (int) CLOSE.invokeExact(e, fd));
  }

  /** Descriptors that are ready, or minus errno. */
  static long poll(MemorySegment fds, long count, int timeoutMillis) {
    return result(e -> (int) POLL.invokeExact(e, fds, count, timeoutMillis));
  }

  /** A descriptor, or minus errno. */
  static long tryOpen(Path path, int flags, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      return result(e -> (int) OPEN.invokeExact(e, name, flags | O_CLOEXEC, mode));
    }
  }

  /** Opens a file that exists. */
  static int open(Path path, int flags) throws IOException {
    long fd = tryOpen(path, flags, 0);
    if (fd < 0) {
      throw new IOException("%s can't be opened: %s".formatted(path, text(-fd)));
    }
    return (int) fd;
  }

  /** The result of the call, or minus errno. */
  static long ioctl(int fd, long request, MemorySegment argument) {
    return result(e -> (int) IOCTL.invokeExact(e, fd, request, argument));
  }

  static int memfdCreate(MemorySegment name) throws IOException {
    return check(
        "memfd_create", result(e -> (int) MEMFD_CREATE.invokeExact(e, name, MFD_CLOEXEC_SEALING)));
  }

  static void ftruncate(int fd, long bytes) throws IOException {
    check("ftruncate", result(e -> (int) FTRUNCATE.invokeExact(e, fd, bytes)));
  }

  static void fallocate(int fd, long offset, long bytes) throws IOException {
    check("fallocate", result(e -> (int) FALLOCATE.invokeExact(e, fd, 0, offset, bytes)));
  }

  static int fcntl(int fd, int command, int argument) throws IOException {
    return check("fcntl", result(e -> (int) FCNTL.invokeExact(e, fd, command, argument)));
  }

  /** Maps shared memory for reading and writing; returns its address. */
  static long mmap(long bytes, int fd, long offset) throws IOException {
    long address =
        result(e -> (long) MMAP.invokeExact(e, 0L, bytes, PROT_READ_WRITE, MAP_SHARED, fd, offset));
    if (address < 0) {
      throw new IOException("mmap of %d bytes failed: %s".formatted(bytes, text(-address)));
    }
    return address;
  }

  static void munmap(long address, long bytes) throws IOException {
    check("munmap", result(e -> (int) MUNMAP.invokeExact(e, address, bytes)));
  }

  /** A descriptor that becomes readable when the process ends. */
  static int pidfdOpen(int pid) throws IOException {
    long number = 434;
    long pidfd = result(e -> (long) SYSCALL.invokeExact(e, number, pid, 0));
    if (pidfd == -ESRCH) {
      throw new SocketException("process %d has ended".formatted(pid));
    }
    return check("pidfd_open", pidfd);
  }

  static void statx(int fd, MemorySegment path, int flags, int mask, MemorySegment answer)
      throws IOException {
    check("statx", result(e -> (int) STATX.invokeExact(e, fd, path, flags, mask, answer)));
  }

  static void setsid() throws IOException {
    check("setsid", result(e -> (int) SETSID.invokeExact(e)));
  }

  static void prctl(int option, long argument) throws IOException {
    check("prctl", result(e -> (int) PRCTL.invokeExact(e, option, argument)));
  }

  /** Number of the calling thread. */
  static int gettid() {
    return (int) result(e -> (int) GETTID.invokeExact(e));
  }

  /** Sets how the kernel schedules a thread, 0 for the calling one; 0, or minus errno. */
  static long schedSetscheduler(int thread, int policy, MemorySegment parameters) {
    return result(e -> (int) SCHED_SETSCHEDULER.invokeExact(e, thread, policy, parameters));
  }

  /** Reads the affinity mask of the calling thread, one bit per processor; 0, or minus errno. */
  static long schedGetaffinity(MemorySegment processors) {
    return result(
        e -> (int) SCHED_GETAFFINITY.invokeExact(e, 0, processors.byteSize(), processors));
  }

  /** Sets the affinity mask of the calling thread, one bit per processor; 0, or minus errno. */
  static long schedSetaffinity(MemorySegment processors) {
    return result(
        e -> (int) SCHED_SETAFFINITY.invokeExact(e, 0, processors.byteSize(), processors));
  }

  /** The processor on which the calling thread runs; or minus errno. */
  static long schedGetcpu() {
    return result(e -> (int) SCHED_GETCPU.invokeExact(e));
  }

  /** Sets the nice value of a thread, 0 for the calling one; 0, or minus errno. */
  static long setNice(int thread, int nice) {
    return result(e -> (int) SETPRIORITY.invokeExact(e, 0, thread, nice));
  }

  static int getuid() {
    return (int) result(e -> (int) GETUID.invokeExact(e));
  }
}
