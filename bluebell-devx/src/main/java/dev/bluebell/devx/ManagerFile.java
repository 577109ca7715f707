package dev.bluebell.devx;

import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.uverbs.Errno;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The open file of the kernel's connection manager. Thread-safe. */
final class ManagerFile implements HcaConnectionManager {
  private static final Path NODE = Path.of("/dev/infiniband/rdma_cm");

  private static final int O_RDWR = 2;
  private static final int O_NONBLOCK = 0x800;

  private final int fd;

  /** Readable once the file is closed, which ends a wait for events. */
  private final int wake;

  /** Held for reading while the descriptors are used, so that {@link #close} can't close them. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private final AtomicBoolean closed = new AtomicBoolean();

  private final Set<ManagerFile> all;

  private ManagerFile(int fd, int wake, Set<ManagerFile> all) {
    this.fd = fd;
    this.wake = wake;
    this.all = all;
  }

  /**
   * Opens the file.
   *
   * @param all the open files of a device, which has this file until it is closed
   * @throws HcaException when the kernel refuses
   */
  static ManagerFile open(Refusals refusals, Set<ManagerFile> all) {
    int fd = Libc.open(NODE.toString());
    if (fd < 0) {
      throw refusals.manager(NODE, -fd);
    }
    // Reading an event that was dropped meanwhile must not block until the next one.
    int set = Libc.setFlags(fd, O_RDWR | O_NONBLOCK);
    int wake = set < 0 ? set : Libc.eventfd();
    if (wake < 0) {
      Libc.close(fd);
      throw refusals.call("waiting for events of the connection manager", -wake);
    }
    ManagerFile opened = new ManagerFile(fd, wake, all);
    all.add(opened);
    return opened;
  }

  @Override
  public int write(MemorySegment command) {
    lock.readLock().lock();
    try {
      return closed.get() ? Errno.EBADF : Math.max(0, -Libc.write(fd, command));
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public boolean awaitEvent() {
    lock.readLock().lock();
    try {
      int state = 0;
      while (!closed.get() && state == 0) {
        state = Libc.poll(fd, wake)[0];
      }
      return !closed.get() && state == Libc.POLLIN;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    // Before taking the lock, which a waiting thread holds.
    Libc.signal(wake);
    lock.writeLock().lock();
    try {
      Libc.close(fd);
      Libc.close(wake);
    } finally {
      lock.writeLock().unlock();
    }
    all.remove(this);
  }
}
