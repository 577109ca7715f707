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
 * but ignores how the process protected its memory, and copies a single piece with each call. For
 * one thread at a time.
 */
public final class ProcessMemory implements HcaForeignMemory {
  private static final MethodHandle READ = find("process_vm_readv");
  private static final MethodHandle WRITE = find("process_vm_writev");
  private static final long IOVEC_BYTES = 16;
  private static final long LENGTH = 8;

  /** Larger pieces get a call of their own. */
  private static final int MAX_TOGETHER = 64 << 10;

  private final WatchedProcess process;
  private final Object lock;
  private final MemorySegment own = iovecs(1);
  private final MemorySegment other = iovecs(1);

  // Pending pieces: local and remote addresses, and the direction.
  private final MemorySegment owns = iovecs(MAX_PIECES);
  private final MemorySegment others = iovecs(MAX_PIECES);
  private boolean writes;
  private int pieces;
  private long waiting;

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
    int done = 0;
    while (done < bytes) {
      put(own, 0, here + done, bytes - done);
      put(other, 0, there + done, bytes - done);
      long moved = call(write, own, other, 1);
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
    pieces = 0;
    waiting = 0;
  }

  @Override
  public boolean readPiece(long address, long to, int bytes) {
    writes = false;
    return add(address, to, bytes);
  }

  @Override
  public boolean writePiece(long address, long from, int bytes) {
    writes = true;
    return add(address, from, bytes);
  }

  private boolean add(long there, long here, int bytes) {
    if (bytes > MAX_TOGETHER) {
      return finish() && move(writes, there, here, bytes);
    }
    put(owns, pieces, here, bytes);
    put(others, pieces, there, bytes);
    waiting += bytes;
    return ++pieces < MAX_PIECES || finish();
  }

  @Override
  public boolean finish() {
    int count = pieces;
    long bytes = waiting;
    begin();
    return count == 0 || call(writes, owns, others, count) == bytes;
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
