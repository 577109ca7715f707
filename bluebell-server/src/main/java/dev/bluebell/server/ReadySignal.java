package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A descriptor that another process polls; it is readable while this process has data for the other
 * one, which fetches the data by other means. Thread-safe.
 */
public final class ReadySignal implements AutoCloseable {
  private final SocketPair sockets;
  private boolean closed;

  public ReadySignal() throws IOException {
    sockets = SocketPair.open();
  }

  /** The descriptor for the other process. */
  public int readerFd() {
    return sockets.far();
  }

  /** A key that equals {@link HeldFile#key} of this descriptor in the other process. */
  public Object key() throws IOException {
    return HeldFile.key(sockets.far());
  }

  /** Makes the descriptor readable, and wakes processes that poll it. */
  public synchronized void raise() {
    if (!closed) {
      try (Arena arena = Arena.ofConfined()) {
        // A full socket is readable already.
        boolean unused = sockets.send(arena.allocate(1));
      }
    }
  }

  /** Makes the descriptor unreadable. */
  public synchronized void clear() {
    if (!closed) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment room = arena.allocate(JAVA_BYTE);
        while (sockets.takeBack(room) > 0) {
          // Until none is left.
        }
      }
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      sockets.close();
    }
  }
}
