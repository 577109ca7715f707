package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A duplicate of another process's socket, which keeps it open as a child process would. */
public final class InheritedSocket implements AutoCloseable {
  private static final long PIDFD_GETFD = 438;
  private static final MethodHandle SYSCALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT),
              Linker.Option.firstVariadicArg(1));

  private final int fd;

  private InheritedSocket(int fd) {
    this.fd = fd;
  }

  /** The only socket that a process has. */
  public static InheritedSocket of(int pid) throws IOException {
    List<Integer> sockets;
    try (Stream<Path> all = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
      sockets =
          all.filter(InheritedSocket::isSocket)
              .map(fd -> Integer.parseInt(fd.getFileName().toString()))
              .toList();
    }
    assertThat(sockets).hasSize(1);
    int pidfd = Libc.pidfdOpen(pid);
    try {
      long fd = (long) SYSCALL.invokeExact(PIDFD_GETFD, pidfd, (int) sockets.getFirst(), 0);
      assertThat(fd).as("pidfd_getfd").isPositive();
      return new InheritedSocket((int) fd);
    } catch (Throwable e) {
      throw new LinkageError("pidfd_getfd", e);
    } finally {
      Libc.close(pidfd);
    }
  }

  private static boolean isSocket(Path fd) {
    try {
      return Files.readSymbolicLink(fd).toString().startsWith("socket:");
    } catch (IOException closed) {
      return false;
    }
  }

  /**
   * Sends a message; false when it does not fit.
   *
   * @throws IllegalStateException when the other end hung up
   */
  public boolean send(byte... message) {
    try (Arena arena = Arena.ofConfined()) {
      long sent = Libc.send(fd, arena.allocateFrom(JAVA_BYTE, message));
      if (sent < 0 && sent != -Libc.EAGAIN) {
        throw new IllegalStateException("send failed: errno " + -sent);
      }
      return sent > 0;
    }
  }

  /** True when the other end hung up. */
  boolean isHungUp() {
    try (Arena arena = Arena.ofConfined()) {
      long sent = Libc.send(fd, arena.allocate(1));
      return sent < 0 && sent != -Libc.EAGAIN;
    }
  }

  @Override
  public void close() {
    Libc.close(fd);
  }
}
