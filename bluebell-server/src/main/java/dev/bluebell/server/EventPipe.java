package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Events that another process reads from a descriptor of its own, as it would read from a device
 * file: with read, poll and fcntl. A read takes one event, however much room it has. Thread-safe.
 *
 * <p>A socket pair rather than a pipe, because unread events can be taken back from it.
 */
public final class EventPipe implements AutoCloseable {
  private final int maxEventBytes;
  private final SocketPair sockets;
  private final Account account;
  private final ArrayDeque<Pending> backlog = new ArrayDeque<>();
  private boolean closed;

  /** An event that did not fit, and its room; null when it was in the kernel before. */
  private record Pending(byte[] event, Account.@Nullable Hold room) {
    void free() {
      if (room != null) {
        room.close();
      }
    }
  }

  /**
   * @param maxEventBytes size of the largest event
   * @param account of the reader, which holds events that the kernel does not keep for it
   */
  public EventPipe(int maxEventBytes, Account account) throws IOException {
    this.maxEventBytes = maxEventBytes;
    this.account = account;
    sockets = SocketPair.open();
  }

  /** The descriptor for the reader. */
  public int readerFd() {
    return sockets.far();
  }

  /**
   * Appends an event. Events that do not fit wait for {@link #flush}.
   *
   * @return false when the reader has so many unread ones that this one is lost
   */
  public synchronized boolean write(byte[] event) {
    if (closed || flush() && send(event)) {
      return true;
    }
    Account.Hold room = account.tryTake(Quota.PENDING_EVENTS);
    if (room != null) {
      backlog.addLast(new Pending(event, room));
    }
    return room != null;
  }

  /** Tries again to pass on the events that did not fit; false when some still do not fit. */
  public synchronized boolean flush() {
    while (!closed && !backlog.isEmpty()) {
      if (!send(backlog.getFirst().event())) {
        return false;
      }
      backlog.removeFirst().free();
    }
    return true;
  }

  private boolean send(byte[] event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, event);
      return sockets.send(bytes);
    }
  }

  /** Takes back the events that nobody has read and that match; returns their number. */
  public synchronized int takeBack(Predicate<byte[]> matches) {
    if (closed) {
      return 0;
    }
    List<Pending> unread = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(maxEventBytes);
      long received;
      while ((received = sockets.takeBack(bytes)) > 0) {
        unread.add(new Pending(bytes.asSlice(0, received).toArray(JAVA_BYTE), null));
      }
    }
    unread.addAll(backlog);
    backlog.clear();
    int before = unread.size();
    for (Pending each : unread) {
      if (matches.test(each.event())) {
        each.free();
      } else {
        backlog.addLast(each);
      }
    }
    int left = backlog.size();
    flush();
    return before - left;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      backlog.forEach(Pending::free);
      backlog.clear();
      sockets.close();
    }
  }
}
