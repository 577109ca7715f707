package dev.bluebell.devx;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.uverbs.Attribute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final int NO_FILE = -1;

  private static final SequenceLayout PAGE =
      MemoryLayout.sequenceLayout(PAGE_BYTES, ValueLayout.JAVA_BYTE);

  private final String device;
  private final Refusals refusals;
  private final int fd;

  /** Held for reading by calls, which must not overlap with {@link #close}. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** Memory that the card accesses, by the kernel's handle. */
  private final Map<Integer, MemorySegment> held = new ConcurrentHashMap<>();

  /** Pages of the file, by address: kept reachable because their users know only addresses. */
  private final Map<Long, MemorySegment> mapped = new ConcurrentHashMap<>();

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
    int fd = Libc.open(device.node().toString());
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
   * @throws dev.bluebell.hca.DeviceLostException when the kernel refuses because the device is gone
   * @throws IllegalStateException when the file is closed
   */
  int call(Ioctl ioctl) {
    lock.readLock().lock();
    try {
      requireOpen();
      int errno = pass(ioctl);
      if (errno != 0 && lost) {
        throw refusals.lost();
      }
      return errno;
    } finally {
      lock.readLock().unlock();
    }
  }

  private int pass(Ioctl ioctl) {
    return ioctl.call(call -> -Libc.ioctl(fd, Ioctl.NUMBER, call));
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
      throw refusals.call(what, errno);
    }
    return ioctl;
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
      throw refusals.command(command, ioctl.output(output), errno);
    }
    return ioctl.output(output);
  }

  /**
   * Destroys the object with a handle; does nothing when the file is closed or the device is gone,
   * because the object is destroyed already.
   */
  void destroy(String what, int handle, Ioctl destruction) {
    // Before the call: the kernel may give the handle to the memory of another thread after it.
    MemorySegment memory = held.remove(handle);
    lock.readLock().lock();
    try {
      if (!closed) {
        int errno = pass(destruction);
        if (errno != 0 && !lost) {
          if (memory != null) {
            hold(handle, memory);
          }
          throw refusals.call(what, errno);
        }
      }
    } finally {
      lock.readLock().unlock();
      Reference.reachabilityFence(memory);
    }
  }

  // ---- memory of the card

  /** Keeps memory reachable until the object with a handle is destroyed. */
  void hold(int handle, MemorySegment memory) {
    held.put(handle, memory);
  }

  /**
   * The offset of pages that are not allocated one by one. It counts pages: bits 8 and up of their
   * number are behind the command, {@code mlx5.h: get_extended_index}.
   *
   * @param command what to map, such as {@code MLX5_IB_MMAP_DEVICE_MEM}
   */
  static long offset(int command, int page) {
    return ((long) (page >>> 8) << 16 | (long) command << 8 | page & 0xff) * PAGE_BYTES;
  }

  /**
   * Maps a part of the file.
   *
   * @param bytes whole pages
   * @param protection {@link #PROT_READ} or {@link #PROT_WRITE}
   */
  MemorySegment map(String what, long offset, long bytes, int protection) {
    lock.readLock().lock();
    try {
      requireOpen();
      long address = Libc.mmap(0, bytes, protection, MAP_SHARED, fd, offset);
      if (address < 0) {
        throw mappingRefusal(what, address);
      }
      MemorySegment place = owned(address, bytes);
      record(place);
      return place;
    } finally {
      lock.readLock().unlock();
    }
  }

  private HcaException mappingRefusal(String what, long result) {
    return lost ? refusals.lost() : refusals.call("mapping " + what, (int) -result);
  }

  private void record(MemorySegment place) {
    place.elements(PAGE).forEach(page -> mapped.put(page.address(), page));
  }

  private static MemorySegment owned(long address, long bytes) {
    // Invariant: this is the only reference to the range that was just mapped; it is unmapped once.
    return MemorySegment.ofAddress(address)
        .reinterpret(
            bytes, Arena.ofAuto(), segment -> Libc.munmap(segment.address(), segment.byteSize()));
  }

  /**
   * Maps a part of the file over existing memory of this process.
   *
   * @param place whole pages, of memory that this process allocated here
   */
  void map(String what, long offset, MemorySegment place, int protection) {
    lock.readLock().lock();
    try {
      requireOpen();
      long address =
          Libc.mmap(
              place.address(), place.byteSize(), protection, MAP_SHARED | MAP_FIXED, fd, offset);
      if (address < 0) {
        // The kernel may have removed the pages, and others would get their addresses. Pages that
        // another mapping uses are left alone.
        place
            .elements(PAGE)
            .filter(page -> !mapped.containsKey(page.address()))
            .forEach(UverbsFile::replace);
        throw mappingRefusal(what, address);
      }
      record(place);
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
    segment.elements(PAGE).forEach(page -> mapped.remove(page.address()));
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
      throw refusals.allocation(bytes, (int) -address);
    }
    return owned(address, size).asSlice(0, bytes);
  }

  // ---- the end

  /** Records that the device was removed, or its kernel side has ended. */
  void lose() {
    lost = true;
  }

  boolean isLost() {
    return lost;
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
      mapped.values().forEach(UverbsFile::replace);
      Libc.close(fd);
      held.clear();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
