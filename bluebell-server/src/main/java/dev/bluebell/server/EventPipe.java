package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Events that another process reads from a descriptor of its own, as it would read from a device
 * file: with read, poll and fcntl. A read takes one event, however much room it has. Thread-safe.
 *
 * <p>A socket pair rather than a pipe, because unread events can be taken back from it.
 */
public final class EventPipe implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int SOCK_SEQPACKET = 5;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;

  private final int maxEventBytes;
  private final int near;
  private final int far;
  private final ArrayDeque<byte[]> backlog = new ArrayDeque<>();
  private boolean closed;

  /**
   * @param maxEventBytes size of the largest event
   */
  public EventPipe(int maxEventBytes) throws IOException {
    this.maxEventBytes = maxEventBytes;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocate(8, 4);
      Libc.socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, fds);
      near = fds.get(JAVA_INT, 0);
      far = fds.get(JAVA_INT, 4);
    }
  }

  /** The descriptor for the reader. */
  public int readerFd() {
    return far;
  }

  /** Appends an event. Events that do not fit wait for {@link #flush}. */
  public synchronized void write(byte[] event) {
    backlog.addLast(event);
    flush();
  }

  /** Tries again to pass on the events that did not fit; false when some still do not fit. */
  public synchronized boolean flush() {
    while (!closed && !backlog.isEmpty()) {
      if (!send(backlog.getFirst())) {
        return false;
      }
      backlog.removeFirst();
    }
    return true;
  }

  private boolean send(byte[] event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, event);
      return Libc.send(near, bytes, MSG_DONTWAIT_NOSIGNAL) != -Libc.EAGAIN;
    }
  }

  /** Takes back the events that nobody has read and that match; returns their number. */
  public synchronized int takeBack(Predicate<byte[]> matches) {
    if (closed) {
      return 0;
    }
    List<byte[]> unread = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(maxEventBytes);
      long received;
      while ((received = Libc.recv(far, bytes, MSG_DONTWAIT_NOSIGNAL)) > 0) {
        unread.add(bytes.asSlice(0, received).toArray(JAVA_BYTE));
      }
    }
    unread.addAll(backlog);
    backlog.clear();
    int before = unread.size();
    unread.removeIf(matches);
    unread.forEach(this::write);
    return before - unread.size();
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
