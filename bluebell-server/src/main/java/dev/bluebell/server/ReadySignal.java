package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A descriptor that another process polls and that is readable while this process has something for
 * it. The process fetches that by other means. Thread-safe.
 */
public final class ReadySignal implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int SOCK_SEQPACKET = 5;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;

  private final int near;
  private final int far;
  private boolean closed;

  public ReadySignal() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocate(8, 4);
      Libc.socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, fds);
      near = fds.get(JAVA_INT, 0);
      far = fds.get(JAVA_INT, 4);
    }
  }

  /** The descriptor for the other process. */
  public int readerFd() {
    return far;
  }

  /** What equals {@link HeldFile#key} of this descriptor in the other process. */
  public Object key() throws IOException {
    return HeldFile.key(far);
  }

  /** Makes the descriptor readable, and wakes processes that wait for a change of it. */
  public synchronized void raise() {
    if (!closed) {
      try (Arena arena = Arena.ofConfined()) {
        // A full socket is readable already.
        long unused = Libc.send(near, arena.allocate(1), MSG_DONTWAIT_NOSIGNAL);
      }
    }
  }

  /** Makes the descriptor unreadable. */
  public synchronized void clear() {
    if (!closed) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment room = arena.allocate(JAVA_BYTE);
        long received;
        do {
          received = Libc.recv(far, room, MSG_DONTWAIT_NOSIGNAL);
        } while (received > 0);
      }
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(near);
      Libc.close(far);
    }
  }
}
