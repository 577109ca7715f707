package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.bluebell.hca.HcaForeignMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The memory of another process, reached by process_vm_readv and process_vm_writev: the kernel
 * checks each access against the other process's own mappings, so a wild address fails and does no
 * harm.
 *
 * <p>Each access first checks that the process is alive and executes the same program; after that,
 * every access fails. {@code /proc/PID/mem} belongs to one address space and would need no check,
 * but ignores how the process protected its memory, and copies a single piece with each call.
 *
 * <p>Threads may use it at the same time; a copy in many pieces belongs to the thread that began
 * it. A turn of the device that waits for a page may have begun one while another turn makes its
 * own.
 */
public final class ProcessMemory implements HcaForeignMemory {
  private static final MethodHandle READ = find("process_vm_readv");
  private static final MethodHandle WRITE = find("process_vm_writev");
  private static final long IOVEC_BYTES = 16;
  private static final long LENGTH = 8;

  /** Larger pieces get a call of their own. */
  private static final int MAX_TOGETHER = 64 << 10;

  private static final ThreadLocal<Copy> COPIES = ThreadLocal.withInitial(Copy::new);

  private final WatchedProcess process;
  private final Object lock;

  /** The copy that a thread makes. */
  private static final class Copy {
    final MemorySegment own = iovecs(1);
    final MemorySegment other = iovecs(1);

    // Pending pieces: local and remote addresses, and the direction.
    final MemorySegment owns = iovecs(MAX_PIECES);
    final MemorySegment others = iovecs(MAX_PIECES);
    boolean writes;
    int pieces;
    long waiting;

    void begin() {
      pieces = 0;
      waiting = 0;
    }

    void add(long there, long here, int bytes) {
      put(owns, pieces, here, bytes);
      put(others, pieces, there, bytes);
      waiting += bytes;
      pieces++;
    }
  }

  public ProcessMemory(WatchedProcess process) {
    this(process, new Object());
  }

  /**
   * @param lock held during each copy, so that other threads can delay copies by holding it
   */
  public ProcessMemory(WatchedProcess process, Object lock) {
    this.process = process;
    this.lock = lock;
  }

  private static MemorySegment iovecs(int count) {
    return Arena.ofAuto().allocate(count * IOVEC_BYTES, Long.BYTES);
  }

  private static MethodHandle find(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
  }

  @Override
  public boolean read(long address, long to, int bytes) {
    return move(false, address, to, bytes);
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    return move(true, address, from, bytes);
  }

  @Override
  public boolean hasEnded() {
    return process.isReplaced() || process.isEnding();
  }

  /** Reads into a segment; false when not all of it could be read. */
  public boolean read(long address, MemorySegment to) {
    return to.byteSize() == 0 || read(address, to.address(), Math.toIntExact(to.byteSize()));
  }

  /** Writes from a segment; false when not all of it could be written. */
  public boolean write(long address, MemorySegment from) {
    return from.byteSize() == 0 || write(address, from.address(), Math.toIntExact(from.byteSize()));
  }

  private boolean move(boolean write, long there, long here, int bytes) {
    Copy copy = COPIES.get();
    int done = 0;
    while (done < bytes) {
      put(copy.own, 0, here + done, bytes - done);
      put(copy.other, 0, there + done, bytes - done);
      long moved = call(write, copy.own, copy.other, 1);
      if (moved <= 0) {
        return false;
      }
      done += (int) moved;
    }
    return true;
  }

  // ---- many pieces

  @Override
  public void begin() {
    COPIES.get().begin();
  }

  @Override
  public boolean readPiece(long address, long to, int bytes) {
    return add(false, address, to, bytes);
  }

  @Override
  public boolean writePiece(long address, long from, int bytes) {
    return add(true, address, from, bytes);
  }

  private boolean add(boolean write, long there, long here, int bytes) {
    Copy copy = COPIES.get();
    copy.writes = write;
    if (bytes > MAX_TOGETHER) {
      return finish(copy) && move(write, there, here, bytes);
    }
    copy.add(there, here, bytes);
    return copy.pieces < MAX_PIECES || finish(copy);
  }

  @Override
  public boolean finish() {
    return finish(COPIES.get());
  }

  private boolean finish(Copy copy) {
    int count = copy.pieces;
    long bytes = copy.waiting;
    copy.begin();
    return count == 0 || call(copy.writes, copy.owns, copy.others, count) == bytes;
  }

  private static void put(MemorySegment iovecs, int index, long address, long bytes) {
    long at = index * IOVEC_BYTES;
    iovecs.set(JAVA_LONG, at, address);
    iovecs.set(JAVA_LONG, at + LENGTH, bytes);
  }

  private long call(boolean write, MemorySegment here, MemorySegment there, long count) {
    synchronized (lock) {
      if (process.hasEnded() || process.isReplaced()) {
        return 0;
      }
      long moved = callOnce(write, here, there, count);
      return moved < 0 && process.moveOn() ? callOnce(write, here, there, count) : moved;
    }
  }

  private long callOnce(boolean write, MemorySegment here, MemorySegment there, long count) {
    try {
      return write
          ? (long) WRITE.invokeExact(process.thread(), here, count, there, count, 0L)
          : (long) READ.invokeExact(process.thread(), here, count, there, count, 0L);
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }
}
