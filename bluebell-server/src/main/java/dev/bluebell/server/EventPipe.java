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
 * An event queue that another process reads through a descriptor, as it reads a device file: with
 * read, poll and fcntl. Each read returns one event, however large its buffer is. Thread-safe.
 *
 * <p>A socket pair rather than a pipe, because unread events can be taken back from it.
 */
public final class EventPipe implements AutoCloseable {
  private final int maxEventBytes;
  private final SocketPair sockets;
  private final Account account;
  private final ArrayDeque<Pending> backlog = new ArrayDeque<>();
  private boolean closed;

  /** An event that did not fit, with its quota hold; null if it came back from the kernel. */
  private record Pending(byte[] event, Account.@Nullable Hold room) {
    void free() {
      if (room != null) {
        room.close();
      }
    }
  }

  /**
   * @param maxEventBytes size of the largest event
   * @param account of the reader, charged for events that the kernel does not buffer
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

  /** A key that equals {@link HeldFile#key} of the reader's descriptor, whatever its number is. */
  public Object key() throws IOException {
    return HeldFile.key(sockets.far());
  }

  /**
   * Appends an event. Events that do not fit are kept for {@link #flush}.
   *
   * @return false when the event is lost because the reader has too many unread events
   */
  public synchronized boolean write(byte[] event) {
    if (offer(event)) {
      return true;
    }
    Account.Hold room = account.tryTake(Quota.PENDING_EVENTS);
    if (room != null) {
      backlog.addLast(new Pending(event, room));
    }
    return room != null;
  }

  /** Appends an event if it fits now; false when the reader must read others first. */
  public synchronized boolean offer(byte[] event) {
    return closed || flush() && send(event);
  }

  /** Retries the events that did not fit; false when some still do not fit. */
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

  /** Takes back the unread events that match; returns their number. */
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
