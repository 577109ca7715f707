package dev.bluebell.server.remote;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaException;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.ReadyDescriptor;
import dev.bluebell.server.ShimProtocol;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file of a device process's connection manager. The device process serves it like C
 * applications: it reads commands from this process's memory and writes responses to it.
 * Thread-safe.
 */
final class SocketConnectionManager implements HcaConnectionManager {
  private static final int EIO = 5;
  private static final long MESSAGE_BYTES = ShimProtocol.WORDS * (long) Long.BYTES;

  private final LocalSocket socket;
  private final ReadyDescriptor ready;
  private final MemorySegment message = Arena.ofAuto().allocate(MESSAGE_BYTES, Long.BYTES);
  private boolean closed;

  private SocketConnectionManager(LocalSocket socket, ReadyDescriptor ready) {
    this.socket = socket;
    this.ready = ready;
  }

  /**
   * Opens a file.
   *
   * @throws HcaException when the device process does not answer, or refuses
   */
  static SocketConnectionManager open(Path path) {
    try {
      LocalSocket socket = LocalSocket.connect(path);
      try {
        return greet(path, socket);
      } catch (IOException | RuntimeException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw Connection.failure(
          "the device process at the socket %s did not open a file of the connection manager: %s"
              .formatted(path, e.getMessage()));
    }
  }

  private static SocketConnectionManager greet(Path path, LocalSocket socket) throws IOException {
    MemorySegment greeting = Arena.ofAuto().allocate(MESSAGE_BYTES, Long.BYTES);
    compose(greeting, ShimProtocol.MANAGER, ShimProtocol.VERSION, 0, 0);
    socket.send(greeting);
    LocalSocket.Received received = socket.receive(greeting);
    if (received.bytes() != MESSAGE_BYTES) {
      throw new IOException(
          "it serves only Java clients; start it with 'bluebell serve --socket %s'"
              .formatted(path));
    }
    long result = greeting.getAtIndex(JAVA_LONG, 1);
    if (result < 0) {
      throw new IOException("errno %d".formatted(-result));
    }
    return new SocketConnectionManager(socket, new ReadyDescriptor(received.descriptor()));
  }

  private static void compose(MemorySegment message, long kind, long a, long b, long c) {
    message.setAtIndex(JAVA_LONG, 0, kind);
    message.setAtIndex(JAVA_LONG, 1, a);
    message.setAtIndex(JAVA_LONG, 2, b);
    message.setAtIndex(JAVA_LONG, 3, c);
  }

  @Override
  public synchronized int write(MemorySegment command) {
    if (closed) {
      return EIO;
    }
    try {
      compose(message, ShimProtocol.WRITE, 0, command.address(), command.byteSize());
      socket.send(message);
      if (socket.receive(message).bytes() == MESSAGE_BYTES) {
        return (int) Math.max(0, -message.getAtIndex(JAVA_LONG, 1));
      }
    } catch (IOException e) {
      // The device process hung up; handled below.
    }
    // The device process may still execute the command, and write to memory that the caller frees.
    ready.awaitEnd();
    return EIO;
  }

  @Override
  public boolean awaitEvent() {
    return ready.await();
  }

  // The device process answers the command that it executes, and then closes its end of the
  // descriptor, which ends a wait for events.
  @Override
  public void close() {
    socket.shutdownOutput();
    synchronized (this) {
      closed = true;
    }
    ready.close();
    socket.close();
  }
}
