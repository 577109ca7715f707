package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket that carries messages (SOCK_SEQPACKET), and file descriptors with them. One thread
 * sends and one receives at a time; {@link #close} may be called by any. After that, sending throws
 * a {@link SocketException}.
 */
public final class LocalSocket implements AutoCloseable {
  /** Length of the longest path of a socket, in bytes. */
  public static final int MAX_PATH_BYTES = 107;

  private static final int EPIPE = 32;
  private static final int ECONNRESET = 104;
  private static final int SOL_SOCKET = 1;
  private static final int SO_PASSCRED = 16;
  private static final int SO_PEERCRED = 17;
  private static final int SO_PEERPIDFD = 77;
  private static final int SO_PASSRIGHTS = 83;
  private static final int EINVAL = 22;
  private static final int ENODATA = 61;
  private static final int ENOPROTOOPT = 92;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_PEEK = 2;
  private static final int MSG_CTRUNC = 8;
  private static final int MSG_TRUNC = 0x20;
  private static final int SHUT_WR = 1;
  private static final int SHUT_RDWR = 2;

  /** Room for one descriptor. */
  private static final int CONTROL_BYTES = 24;

  /** Room for the credentials of the sender. */
  private static final int CREDENTIALS_BYTES = 32;

  private static final int BACKLOG = 64;
  private static final short POLLOUT = 4;
  private static final int NO_DESCRIPTOR = -1;
  private static final long POLLFD_BYTES = 8;
  private static final long MAX_WAIT_MILLIS = 60_000;

  private final int fd;
  private @Nullable WatchedProcess process;
  private boolean closed;

  private LocalSocket(int fd) {
    this.fd = fd;
  }

  /** The process at the other end, as the kernel knows it. */
  public record Peer(int pid, int uid) {}

  /** Listens at a path, which must not exist. */
  public static LocalSocket listen(Path path) throws IOException {
    LocalSocket socket = new LocalSocket(Libc.socket());
    try (Arena arena = Arena.ofConfined()) {
      Libc.bind(socket.fd, address(path, arena));
      Libc.listen(socket.fd, BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Has the kernel refuse messages with descriptors on connections to this socket, where it can
   * (Linux 6.16).
   *
   * @return this
   */
  LocalSocket refusingDescriptors() {
    try (Arena arena = Arena.ofConfined()) {
      long unused = Libc.setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, arena.allocate(JAVA_INT));
    }
    return this;
  }

  /**
   * Connects to the process that listens at a path, which must belong to this process's user: a
   * client gives its server access to its memory.
   */
  public static LocalSocket connect(Path path) throws IOException {
    return connect(path, Processes.userId());
  }

  static LocalSocket connect(Path path, int user) throws IOException {
    LocalSocket socket = new LocalSocket(Libc.socket());
    try (Arena arena = Arena.ofConfined()) {
      Libc.connect(socket.fd, address(path, arena));
      Peer server = socket.peer();
      if (server.uid() != user) {
        throw new IOException(
            "process %d of user %d listens there, and this one is of user %d; don't open a device of another user"
                .formatted(server.pid(), server.uid(), user));
      }
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static MemorySegment address(Path path, Arena arena) throws IOException {
    byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
    if (name.length > MAX_PATH_BYTES) {
      throw new IOException(
          "the path %s is too long: the path of a socket has at most %d bytes"
              .formatted(path, MAX_PATH_BYTES));
    }
    // One byte more ends the path.
    MemorySegment address = arena.allocate(Short.BYTES + MAX_PATH_BYTES + 1, Short.BYTES);
    address.set(JAVA_SHORT, 0, Libc.AF_UNIX);
    MemorySegment.copy(MemorySegment.ofArray(name), 0, address, Short.BYTES, name.length);
    return address;
  }

  /** Waits for the next connection; throws when the socket is closed. */
  public LocalSocket accept() throws IOException {
    return new LocalSocket(Libc.accept(fd));
  }

  /** Asks the kernel which process is at the other end. */
  public Peer peer() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(12, 4);
      Libc.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, arena.allocateFrom(JAVA_INT, 12));
      return new Peer(credentials.get(JAVA_INT, 0), credentials.get(JAVA_INT, 4));
    }
  }

  /**
   * Watches the process at the other end until {@link #close}. From now on, every wait on this
   * socket ends with that process, even if another process also holds the other end. Call it before
   * other threads see this.
   *
   * @throws SocketException when the process has ended, or can't be seen from here
   */
  WatchedProcess watch() throws IOException {
    int pid = peer().pid();
    if (pid <= 0) {
      throw new SocketException("a process of another PID namespace can't be served");
    }
    process = new WatchedProcess(pid, pidfd(pid));
    return process;
  }

  // Since 6.5, the kernel returns a pidfd of the process that connected. Before, the pid may
  // already name another process, if a third process kept the other end open.
  private int pidfd(int pid) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pidfd = arena.allocate(JAVA_INT);
      MemorySegment size = arena.allocateFrom(JAVA_INT, Integer.BYTES);
      long result = Libc.tryGetsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, pidfd, size);
      if (result == 0) {
        return pidfd.get(JAVA_INT, 0);
      }
      if (result == -Libc.ESRCH || result == -EINVAL || result == -ENODATA) {
        throw new SocketException("process %d has ended".formatted(pid));
      }
      if (result != -ENOPROTOOPT) {
        throw new IOException("no pidfd of process %d: %s".formatted(pid, Libc.text(-result)));
      }
      return Libc.pidfdOpen(pid);
    }
  }

  /**
   * Waits for the next message while the watched process lives.
   *
   * @return its length in bytes, or 0 when no message will follow; a message longer than {@code
   *     message}, or with descriptors, is an error
   */
  public int next(MemorySegment message) throws IOException {
    int bytes = peek(message);
    if (bytes > 0) {
      long unused = Libc.recv(fd, message, Libc.MSG_DONTWAIT);
    }
    return bytes;
  }

  /** Waits for a message as {@link #next} does, and leaves it there. */
  public int peek(MemorySegment message) throws IOException {
    if (!await(Libc.POLLIN)) {
      return 0;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = header(message, MemorySegment.NULL, arena);
      long received;
      do {
        received = Libc.recvmsg(fd, header, MSG_TRUNC | MSG_PEEK);
      } while (received == -Libc.EINTR);
      // Such a message stays in the queue: taking it would close its descriptors, see discard().
      if (isTruncated(header)) {
        throw new IOException("the other process sent descriptors, which are not accepted");
      }
      return received(received, message);
    }
  }

  /** True when there was no room for descriptors or other control messages. */
  private static boolean isTruncated(MemorySegment header) {
    return (header.get(JAVA_INT, 48) & MSG_CTRUNC) != 0;
  }

  /** True when no message is there, which on a ready socket means that the other end hung up. */
  boolean isEmpty() {
    try (Arena arena = Arena.ofConfined()) {
      return Libc.recv(fd, arena.allocate(1), MSG_PEEK | Libc.MSG_DONTWAIT) <= 0;
    }
  }

  /**
   * Discards unread messages up to the first one with descriptors: closing a socket with unread
   * messages resets the connection, and the other end loses the last message. Ends, because nothing
   * more can arrive.
   *
   * @return whether all are discarded. Otherwise {@link #close} closes descriptors of the other
   *     process too, and may wait as long as that process likes: a TCP socket with SO_LINGER waits
   *     until its data is sent.
   */
  public boolean discard() {
    Libc.shutdown(fd, Libc.SHUT_RD);
    try (Arena arena = Arena.ofConfined()) {
      // Distinguishes an empty message from none: credentials come with it, and take all the room.
      long unused = Libc.setsockopt(fd, SOL_SOCKET, SO_PASSCRED, arena.allocateFrom(JAVA_INT, 1));
      MemorySegment message = arena.allocate(1);
      MemorySegment control = arena.allocate(CREDENTIALS_BYTES, 8);
      MemorySegment header = header(message, control, arena);
      while (true) {
        header.set(JAVA_LONG, 40, CREDENTIALS_BYTES);
        long seen = Libc.recvmsg(fd, header, MSG_PEEK | Libc.MSG_DONTWAIT);
        if (seen == -Libc.EINTR || seen == -ECONNRESET) {
          // The messages from before the reset are still there.
          continue;
        }
        boolean isMessage = seen >= 0 && header.get(JAVA_LONG, 40) > 0;
        if (!isMessage || isTruncated(header)) {
          return !isMessage;
        }
        long unusedBytes = Libc.recv(fd, message, Libc.MSG_DONTWAIT);
      }
    }
  }

  private static int received(long received, MemorySegment message) throws IOException {
    if (received == -ECONNRESET) {
      throw new SocketException("the other process ended before it had read all messages");
    }
    if (received < 0) {
      throw new IOException("receiving failed: " + Libc.text(-received));
    }
    if (received > message.byteSize()) {
      throw new IOException("a message of %d bytes is too long".formatted(received));
    }
    return (int) received;
  }

  /**
   * A received message and the descriptor that came with it.
   *
   * @param bytes length of the message; 0 when no message will follow
   * @param descriptor the receiver closes it; -1 for none
   */
  public record Received(int bytes, int descriptor) {}

  /** Returns a received descriptor that has to be there. */
  static int requireArrived(String what, int descriptor) throws IOException {
    if (descriptor < 0) {
      throw new IOException(
          "no descriptor of %s arrived: this process has as many as it may have; raise its ulimit -n"
              .formatted(what));
    }
    return descriptor;
  }

  /** Waits for a message with a descriptor or without, until the other end hangs up. */
  public Received receive(MemorySegment message) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
      MemorySegment header = header(message, control, arena);
      long received;
      do {
        received = Libc.recvmsg(fd, header, 0);
      } while (received == -Libc.EINTR);
      int bytes = received(received, message);
      boolean passed = header.get(JAVA_LONG, 40) >= 20 && control.get(JAVA_INT, 12) == SCM_RIGHTS;
      return new Received(bytes, passed ? control.get(JAVA_INT, 16) : -1);
    }
  }

  // Mirrors msghdr; the control message has room for one descriptor.
  private static MemorySegment header(MemorySegment message, MemorySegment control, Arena arena) {
    MemorySegment vector = arena.allocate(16, 8);
    vector.set(JAVA_LONG, 0, message.address());
    vector.set(JAVA_LONG, 8, message.byteSize());
    MemorySegment header = arena.allocate(56, 8);
    header.set(JAVA_LONG, 16, vector.address());
    header.set(JAVA_LONG, 24, 1);
    header.set(JAVA_LONG, 32, control.address());
    header.set(JAVA_LONG, 40, control.byteSize());
    return header;
  }

  /** Waits until the socket is ready; false when the watched process has ended. */
  private boolean await(short events) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocate(2 * POLLFD_BYTES, 4);
      fds.set(JAVA_INT, 0, fd);
      fds.set(JAVA_SHORT, 4, events);
      fds.set(JAVA_INT, POLLFD_BYTES, process == null ? NO_DESCRIPTOR : process.pidfd());
      fds.set(JAVA_SHORT, POLLFD_BYTES + 4, Libc.POLLIN);
      long ready;
      do {
        ready = Libc.poll(fds, 2, -1);
      } while (ready == -Libc.EINTR);
      if (ready < 0) {
        throw new IOException("poll failed: " + Libc.text(-ready));
      }
      return fds.get(JAVA_SHORT, POLLFD_BYTES + 6) == 0;
    }
  }

  /**
   * Waits until one of several sockets can receive or accept, or its other end hung up.
   *
   * @param nanos how long to wait at most; longer than a minute counts as a minute
   * @return whether each socket is ready; all false after a timeout
   */
  static boolean[] awaitAny(List<LocalSocket> sockets, long nanos) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocate(POLLFD_BYTES * sockets.size(), 4);
      for (int i = 0; i < sockets.size(); i++) {
        fds.set(JAVA_INT, POLLFD_BYTES * i, sockets.get(i).fd);
        fds.set(JAVA_SHORT, POLLFD_BYTES * i + 4, Libc.POLLIN);
      }
      // Rounded up; otherwise the caller would spin in the last millisecond.
      int millis = (int) Math.min(MAX_WAIT_MILLIS, nanos / 1_000_000 + 1);
      long ready = Libc.poll(fds, sockets.size(), millis);
      if (ready < 0 && ready != -Libc.EINTR) {
        throw new IOException("poll failed: " + Libc.text(-ready));
      }
      boolean[] answers = new boolean[sockets.size()];
      for (int i = 0; ready > 0 && i < answers.length; i++) {
        answers[i] = fds.get(JAVA_SHORT, POLLFD_BYTES * i + 6) != 0;
      }
      return answers;
    }
  }

  /** Sends a message. */
  public void send(MemorySegment message) throws IOException {
    transmit(() -> Libc.send(fd, message));
  }

  /**
   * Sends a message with a file descriptor, of which the receiver gets a copy.
   *
   * @param passed the descriptor
   */
  public void send(MemorySegment message, int passed) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
      control.set(JAVA_LONG, 0, 20);
      control.set(JAVA_INT, 8, SOL_SOCKET);
      control.set(JAVA_INT, 12, SCM_RIGHTS);
      control.set(JAVA_INT, 16, passed);
      MemorySegment header = header(message, control, arena);
      transmit(() -> Libc.sendmsg(fd, header));
    }
  }

  // Waits for room in a separate step, which also notices the end of the process.
  private void transmit(LongSupplier send) throws IOException {
    long sent = attempt(send);
    while (sent == -Libc.EAGAIN || sent == -Libc.EINTR) {
      if (!await(POLLOUT)) {
        throw ended();
      }
      sent = attempt(send);
    }
    if (sent == -EPIPE || sent == -ECONNRESET) {
      throw ended();
    }
    if (sent < 0) {
      throw new IOException("send failed: " + Libc.text(-sent));
    }
  }

  // Synchronized with close(), after which another connection may have the descriptor's number.
  private synchronized long attempt(LongSupplier send) throws SocketException {
    if (closed) {
      throw new SocketException("the connection is closed");
    }
    return send.getAsLong();
  }

  private static SocketException ended() {
    return new SocketException("the other process ended in the middle of a call");
  }

  /** Shuts the connection down: threads waiting for a message at either end return without one. */
  public synchronized void shutdown() {
    if (!closed) {
      Libc.shutdown(fd, SHUT_RDWR);
    }
  }

  /** Tells the other end that no message follows; messages from there still arrive. */
  public synchronized void shutdownOutput() {
    if (!closed) {
      Libc.shutdown(fd, SHUT_WR);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (process != null) {
      process.close();
    }
    Libc.close(fd);
  }
}
