package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A TCP socket whose last close waits for an hour: it has unsent data, and its other end reads
 * nothing.
 */
final class LingeringSocket implements AutoCloseable {
  private static final short AF_INET = 2;
  private static final int SOCK_STREAM = 1;
  private static final int SO_LINGER = 13;
  private static final int SECONDS = 3600;
  private static final MethodHandle SOCKET =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("socket"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

  private final int fd;
  private final Socket other;

  private LingeringSocket(int fd, Socket other) {
    this.fd = fd;
    this.other = other;
  }

  static LingeringSocket open() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        Arena arena = Arena.ofConfined()) {
      int fd = (int) SOCKET.invokeExact((int) AF_INET, SOCK_STREAM, 0);
      MemorySegment address = arena.allocate(16, 4);
      address.set(JAVA_SHORT, 0, AF_INET);
      address.set(JAVA_BYTE, 2, (byte) (listener.getLocalPort() >> 8));
      address.set(JAVA_BYTE, 3, (byte) listener.getLocalPort());
      address.set(JAVA_BYTE, 4, (byte) 127);
      address.set(JAVA_BYTE, 7, (byte) 1);
      Libc.connect(fd, address);
      MemorySegment data = arena.allocate(1 << 16);
      while (Libc.send(fd, data) > 0) {
        Thread.onSpinWait();
      }
      assertThat(Libc.setsockopt(fd, 1, SO_LINGER, arena.allocateFrom(JAVA_INT, 1, SECONDS)))
          .isZero();
      return new LingeringSocket(fd, listener.accept());
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError("socket", e);
    }
  }

  /**
   * Sends it with a message and closes it here. The receiver must not look at the message before
   * this returns: otherwise the last close may be the one here.
   */
  void passOn(LocalSocket socket, byte... message) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      socket.send(arena.allocateFrom(JAVA_BYTE, message), fd);
    }
    Libc.close(fd);
  }

  /** Ends the wait of its last close. */
  @Override
  public void close() throws IOException {
    if (!other.isClosed()) {
      other.setSoLinger(true, 0);
      other.close();
    }
  }
}
