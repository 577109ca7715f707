package dev.bluebell.devx;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.uverbs.Attribute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The open device file of a card: its calls, the pages mapped from it, and the memory that the card
 * accesses through it. Thread-safe.
 *
 * <p>Closing it frees everything in the kernel and on the card. Afterwards, no call uses the
 * descriptor, whose number may be reused, and mapped pages are ordinary memory, so a late doorbell
 * has no effect.
 */
final class UverbsFile implements AutoCloseable {
  static final int PAGE_BYTES = 4096;

  private static final int O_RDWR = 2;
  private static final int O_CLOEXEC = 0x80000;

  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final int NO_FILE = -1;

  private final String device;
  private final Refusals refusals;
  private final int fd;

  /** Held for reading by calls, which must not overlap with {@link #close}. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** Memory that the card accesses, by the kernel's handle. */
  private final Map<Integer, MemorySegment> held = new HashMap<>();

  /** Mappings of the file, kept reachable because their users know only addresses. */
  private final List<MemorySegment> mapped = new ArrayList<>();

  private boolean closed;
  private volatile boolean lost;

  private UverbsFile(String device, Refusals refusals, int fd) {
    this.device = device;
    this.refusals = refusals;
    this.fd = fd;
  }

  /**
   * Opens the file.
   *
   * @throws HcaException when the kernel refuses; the message has the reason and the remedy
   */
  static UverbsFile open(UverbsDevice device) {
    Refusals refusals = new Refusals(device.name());
    int fd = Libc.open(device.node().toString(), O_RDWR | O_CLOEXEC);
    if (fd < 0) {
      throw refusals.open(device.node(), -fd);
    }
    return new UverbsFile(device.name(), refusals, fd);
  }

  /** Error messages for this device. */
  Refusals refusals() {
    return refusals;
  }

  // ---- calls

  /**
   * Makes a call.
   *
   * @return 0, or the error number of the kernel
   * @throws IllegalStateException when the file is closed
   */
  int call(Ioctl ioctl) {
    lock.readLock().lock();
    try {
      requireOpen();
      return ioctl.call(call -> -Libc.ioctl(fd, Ioctl.NUMBER, call));
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Makes a call that must succeed.
   *
   * @param what the user's word for it
   * @throws HcaException when the kernel refuses
   */
  Ioctl require(String what, Ioctl ioctl) {
    int errno = call(ioctl);
    if (errno != 0) {
      throw refusal(what, errno);
    }
    return ioctl;
  }

  /** The exception for a call that the kernel refused. */
  HcaException refusal(String what, int errno) {
    return lost ? lostException() : refusals.call(what, errno);
  }

  /**
   * Executes a command by an ioctl.
   *
   * @param output the attribute with the command's output
   * @throws HcaException when the kernel or the firmware refuses
   */
  byte[] execute(byte[] command, Ioctl ioctl, Attribute output) {
    int errno = call(ioctl);
    if (errno != 0) {
      throw commandRefusal(command, ioctl.output(output), errno);
    }
    return ioctl.output(output);
  }

  /** The exception for a refused command with this output. */
  HcaException commandRefusal(byte[] command, byte[] output, int errno) {
    return lost ? lostException() : refusals.command(command, output, errno);
  }

  /** The exception for memory that the kernel did not pin. */
  HcaException memoryRefusal(String what, long bytes, int errno) {
    return lost ? lostException() : refusals.memory(what, bytes, errno);
  }

  /** The exception for a DMA-BUF that the kernel did not register. */
  HcaException dmaBufRefusal(int descriptor, int errno) {
    return lost ? lostException() : refusals.dmaBuf(descriptor, errno);
  }

  /**
   * Destroys the object with a handle; does nothing when the file is closed or the device is gone,
   * because the object is destroyed already.
   */
  void destroy(String what, int handle, Ioctl destruction) {
    if (!isClosed()) {
      int errno = call(destruction);
      if (errno != 0 && !lost) {
        throw refusals.call(what, errno);
      }
    }
    release(handle);
  }

  // ---- memory of the card

  /** Keeps memory reachable until the object with a handle is destroyed. */
  void hold(int handle, MemorySegment memory) {
    synchronized (held) {
      held.put(handle, memory);
    }
  }

  private void release(int handle) {
    synchronized (held) {
      held.remove(handle);
    }
  }

  /**
   * Maps a part of the file.
   *
   * @param protection {@link #PROT_READ} or {@link #PROT_WRITE}
   */
  MemorySegment map(String what, long offset, long bytes, int protection) {
    lock.readLock().lock();
    try {
      requireOpen();
      long address = Libc.mmap(0, bytes, protection, MAP_SHARED, fd, offset);
      if (address < 0) {
        throw refusal("mapping " + what, (int) -address);
      }
      MemorySegment segment = owned(address, bytes);
      synchronized (mapped) {
        mapped.add(segment);
      }
      return segment;
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Maps a part of the file, for reading and writing, over existing memory of this process.
   *
   * @param place whole pages, of memory that this process allocated here
   */
  void mapAt(String what, long offset, MemorySegment place) {
    lock.readLock().lock();
    try {
      requireOpen();
      long address =
          Libc.mmap(
              place.address(),
              place.byteSize(),
              PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED,
              fd,
              offset);
      if (address < 0) {
        throw refusal("mapping " + what, (int) -address);
      }
      synchronized (mapped) {
        mapped.add(place);
      }
    } finally {
      lock.readLock().unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("device %s is closed".formatted(device));
    }
  }

  /**
   * Replaces a mapping of the file by ordinary memory at the same address, for late accesses.
   *
   * <p>The kernel frees a page only when it is no longer mapped.
   */
  void unmap(MemorySegment segment) {
    replace(segment);
    synchronized (mapped) {
      mapped.removeIf(
          each -> each.address() == segment.address() && each.byteSize() == segment.byteSize());
    }
  }

  private static void replace(MemorySegment segment) {
    // If this fails for lack of memory, the page stays mapped until the segment is unreachable.
    long unused =
        Libc.mmap(
            segment.address(),
            segment.byteSize(),
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
            NO_FILE,
            0);
  }

  /**
   * Allocates memory of this process in pages of its own, zeroed. Queues must not share pages with
   * the C library's allocations, because the kernel pins whole pages.
   *
   * @param bytes at least 1
   */
  MemorySegment allocate(long bytes) {
    long size = -(-bytes & -PAGE_BYTES);
    long address =
        Libc.mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, NO_FILE, 0);
    if (address < 0) {
      throw refusal("allocating %d bytes".formatted(bytes), (int) -address);
    }
    return owned(address, size).asSlice(0, bytes);
  }

  // Invariant: the caller just mapped the range and has its only reference; it is unmapped once.
  private static MemorySegment owned(long address, long bytes) {
    return MemorySegment.ofAddress(address)
        .reinterpret(bytes, Arena.ofAuto(), segment -> Libc.munmap(segment.address(), bytes));
  }

  // ---- the end

  /** Records that the device was removed, or its kernel side has ended. */
  void lose() {
    lost = true;
  }

  boolean isLost() {
    return lost;
  }

  DeviceLostException lostException() {
    return refusals.lost();
  }

  private boolean isClosed() {
    lock.readLock().lock();
    try {
      return closed;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      // Before closing the descriptor: the file is released only when it is no longer mapped.
      synchronized (mapped) {
        mapped.forEach(UverbsFile::replace);
      }
      Libc.close(fd);
      synchronized (held) {
        held.clear();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
