package dev.bluebell.devx;

import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.uverbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The open file of the kernel's connection manager. Thread-safe. */
final class ManagerFile implements HcaConnectionManager {
  private static final Path NODE = Path.of("/dev/infiniband/rdma_cm");

  private static final int O_RDWR = 2;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int EFD_CLOEXEC = 0x80000;

  // poll.h.
  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;
  private static final long POLLFD_EVENTS = 4;
  private static final long POLLFD_REVENTS = 6;

  private final int fd;

  /** Readable once the file is closed, which ends a wait for events. */
  private final int wake;

  /** Held for reading while the descriptors are used, so that {@link #close} can't close them. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private volatile boolean closing;
  private boolean closed;

  private ManagerFile(int fd, int wake) {
    this.fd = fd;
    this.wake = wake;
  }

  /**
   * Opens the file.
   *
   * @throws HcaException when the kernel refuses
   */
  static ManagerFile open(Refusals refusals) {
    int fd = Libc.open(NODE.toString(), O_RDWR | O_CLOEXEC);
    if (fd < 0) {
      throw refusals.manager(NODE, -fd);
    }
    // Reading an event that was dropped meanwhile must not block until the next one.
    int set = Libc.setFlags(fd, O_RDWR | O_NONBLOCK);
    int wake = set < 0 ? set : Libc.eventfd(EFD_CLOEXEC);
    if (wake < 0) {
      Libc.close(fd);
      throw refusals.call("waiting for events of the connection manager", -wake);
    }
    return new ManagerFile(fd, wake);
  }

  @Override
  public int write(MemorySegment command) {
    lock.readLock().lock();
    try {
      return closed ? Errno.EBADF : Math.max(0, -Libc.write(fd, command));
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public boolean awaitEvent() {
    lock.readLock().lock();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment descriptors = arena.allocate(2 * POLLFD_BYTES, Integer.BYTES);
      descriptors.set(ValueLayout.JAVA_INT, 0, fd);
      descriptors.set(ValueLayout.JAVA_SHORT, POLLFD_EVENTS, POLLIN);
      descriptors.set(ValueLayout.JAVA_INT, POLLFD_BYTES, wake);
      descriptors.set(ValueLayout.JAVA_SHORT, POLLFD_BYTES + POLLFD_EVENTS, POLLIN);
      int ready = 0;
      while (!closing && (ready == 0 || ready == -Errno.EINTR)) {
        ready = Libc.poll(descriptors, 2);
      }
      return !closing && descriptors.get(ValueLayout.JAVA_SHORT, POLLFD_REVENTS) == POLLIN;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    closing = true;
    // Before taking the lock, which a waiting thread holds.
    wakeUp();
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        Libc.close(fd);
        Libc.close(wake);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void wakeUp() {
    lock.readLock().lock();
    try (Arena arena = Arena.ofConfined()) {
      if (!closed) {
        int unused = Libc.write(wake, arena.allocateFrom(ValueLayout.JAVA_LONG, 1));
      }
    } finally {
      lock.readLock().unlock();
    }
  }
}
