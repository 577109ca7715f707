package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Two connected sockets with message boundaries, one of which goes to another process and only
 * receives there. Sending and receiving never wait.
 *
 * @param near descriptor of this process
 * @param far descriptor for the other process, from which this process can take messages back
 */
record SocketPair(int near, int far) implements AutoCloseable {
  static SocketPair open() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocate(8, 4);
      Libc.socketpair(fds);
      int near = fds.get(JAVA_INT, 0);
      // Otherwise the other process could send descriptors, which close() would close too.
      Libc.shutdown(near, Libc.SHUT_RD);
      return new SocketPair(near, fds.get(JAVA_INT, 4));
    }
  }

  /** Sends a message; false when it does not fit. */
  boolean send(MemorySegment message) {
    return Libc.send(near, message) != -Libc.EAGAIN;
  }

  /** Takes back an unread message; returns its length, or 0 or less when there is none. */
  long takeBack(MemorySegment room) {
    return Libc.recv(far, room, Libc.MSG_DONTWAIT);
  }

  // If the other process has closed its descriptor, this far one is the last. Its sets of epoll
  // still contain it, and would report the end of near.
  @Override
  public void close() {
    Libc.close(far);
    Libc.close(near);
  }
}
