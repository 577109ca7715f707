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
 * <p>Nothing can be reached once the process has ended, which is asked before each access. For one
 * thread at a time.
 */
public final class ProcessMemory implements HcaForeignMemory {
  private static final MethodHandle READ = find("process_vm_readv");
  private static final MethodHandle WRITE = find("process_vm_writev");
  private static final long IOVEC_BYTES = 16;

  private final WatchedProcess process;
  private final MemorySegment own = Arena.ofAuto().allocate(2 * IOVEC_BYTES, Long.BYTES);
  private final MemorySegment other = own.asSlice(IOVEC_BYTES);

  public ProcessMemory(WatchedProcess process) {
    this.process = process;
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
    return move(READ, address, to, bytes);
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    return move(WRITE, address, from, bytes);
  }

  /** Reads into a segment; false when not all of it could be read. */
  public boolean read(long address, MemorySegment to) {
    return to.byteSize() == 0 || read(address, to.address(), Math.toIntExact(to.byteSize()));
  }

  /** Writes from a segment; false when not all of it could be written. */
  public boolean write(long address, MemorySegment from) {
    return from.byteSize() == 0 || write(address, from.address(), Math.toIntExact(from.byteSize()));
  }

  private boolean move(MethodHandle call, long there, long here, int bytes) {
    int done = 0;
    while (done < bytes) {
      own.set(JAVA_LONG, 0, here + done);
      own.set(JAVA_LONG, 8, bytes - done);
      other.set(JAVA_LONG, 0, there + done);
      other.set(JAVA_LONG, 8, bytes - done);
      long moved = process.hasEnded() ? 0 : call(call);
      if (moved <= 0) {
        return false;
      }
      done += (int) moved;
    }
    return true;
  }

  private long call(MethodHandle call) {
    try {
      return (long) call.invokeExact(process.pid(), own, 1L, other, 1L, 0L);
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }
}
