package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/**
 * This process's descriptor of a {@link ReadySignal} of another process. One thread waits at a
 * time; any thread may close it, once the other process no longer signals.
 */
public final class ReadyDescriptor implements AutoCloseable {
  private static final long POLLFD_BYTES = 8;

  private final int fd;

  /** Held while the descriptor is used. */
  private final ReentrantLock lock = new ReentrantLock();

  private boolean closed;

  /**
   * @param fd belongs to this object from now on; negative if none arrived
   */
  public ReadyDescriptor(int fd) throws IOException {
    this.fd = LocalSocket.requireArrived("events", fd);
  }

  /** Waits until the other process signals; false when it has closed its end. */
  public boolean await() {
    lock.lock();
    try {
      return !closed && poll(Libc.POLLIN) == Libc.POLLIN;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the other process has closed its end. Not while another thread closes this. */
  public void awaitEnd() {
    short unused = poll((short) 0);
  }

  private short poll(short events) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocate(POLLFD_BYTES, Integer.BYTES);
      fds.set(JAVA_INT, 0, fd);
      fds.set(JAVA_SHORT, 4, events);
      long ready;
      do {
        ready = Libc.poll(fds, 1, -1);
      } while (ready == -Libc.EINTR);
      return fds.get(JAVA_SHORT, 6);
    }
  }

  /** Waits for a waiting thread, which returns when the other process closes its end. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        Libc.close(fd);
      }
    } finally {
      lock.unlock();
    }
  }
}
