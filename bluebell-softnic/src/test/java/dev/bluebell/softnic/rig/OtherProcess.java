package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory of an emulated other process, which the device reaches only through {@code
 * HcaForeignMemory}, at addresses that mean nothing in this process.
 */
public final class OtherProcess implements HcaForeignMemory {
  /** Where its memory begins. */
  public static final long BASE = 0x10_0000_0000L;

  private final Rig rig;
  private final MemorySegment memory;
  private boolean readable = true;
  private boolean writable = true;

  public OtherProcess(Rig rig, int bytes) {
    this.rig = rig;
    memory = Arena.ofAuto().allocate(bytes, 64);
  }

  /** Registers all of it; requests name it by its own addresses. */
  public HcaMemory register(int access) {
    return register(BASE, access);
  }

  public HcaMemory register(long address, int access) {
    return rig.nic()
        .hosting()
        .orElseThrow()
        .registerMemory(rig.domain(), this, BASE, memory.byteSize(), address, access);
  }

  public OtherProcess protect(boolean mayRead, boolean mayWrite) {
    readable = mayRead;
    writable = mayWrite;
    return this;
  }

  public MemorySegment memory() {
    return memory;
  }

  public byte[] bytes(long offset, int count) {
    return memory.asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE);
  }

  public OtherProcess put(long offset, byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
    return this;
  }

  @Override
  public boolean read(long address, long to, int bytes) {
    if (readable) {
      MemorySegment.ofAddress(to)
          .reinterpret(bytes)
          .copyFrom(memory.asSlice(address - BASE, bytes));
    }
    return readable;
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    if (writable) {
      memory
          .asSlice(address - BASE, bytes)
          .copyFrom(MemorySegment.ofAddress(from).reinterpret(bytes));
    }
    return writable;
  }
}
