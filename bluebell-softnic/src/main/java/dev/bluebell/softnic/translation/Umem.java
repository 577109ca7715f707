package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory that the device can reach, known by a number. Keeps the memory alive; every raw
 * access of the device lies inside one of these, which is checked when an object is placed in it or
 * a key is translated.
 */
public final class Umem {
  private final int number;
  private final long address;
  private final long length;

  /** Keeps the memory reachable. */
  @SuppressWarnings("UnusedVariable")
  private final @Nullable MemorySegment memory;

  private final @Nullable HcaForeignMemory foreign;
  private int users;

  public Umem(int number, MemorySegment memory) {
    this(number, memory.address(), memory.byteSize(), memory, null);
  }

  private Umem(
      int number,
      long address,
      long length,
      @Nullable MemorySegment memory,
      @Nullable HcaForeignMemory foreign) {
    this.number = number;
    this.address = address;
    this.length = length;
    this.memory = memory;
    this.foreign = foreign;
  }

  /**
   * A umem in another process's memory, where no queue can lie.
   *
   * @param address of the first byte in the other process
   */
  public static Umem foreign(int number, HcaForeignMemory memory, long address, long length) {
    return new Umem(number, address, length, null, memory);
  }

  /** True for memory of another process. */
  public boolean isForeign() {
    return foreign != null;
  }

  /** The translation of a key whose first byte lies at an offset of this memory. */
  Translation translation(long offset) {
    return foreign == null
        ? new Translation.Contiguous(address + offset)
        : new Translation.Foreign(foreign, address + offset);
  }

  public int number() {
    return number;
  }

  /** Address of the first byte in the process that has the memory. */
  public long address() {
    return address;
  }

  public long length() {
    return length;
  }

  /** True when {@code [offset, offset + bytes)} lies inside; any values are accepted. */
  public boolean contains(long offset, long bytes) {
    return offset >= 0 && bytes >= 0 && bytes <= length() && offset <= length() - bytes;
  }

  /** Changes the number of objects that live in this memory. */
  public void use(int delta) {
    users += delta;
  }

  /** Number of objects that live in this memory. */
  public int users() {
    return users;
  }
}
