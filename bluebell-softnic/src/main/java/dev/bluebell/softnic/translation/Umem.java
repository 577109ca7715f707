package dev.bluebell.softnic.translation;

import java.lang.foreign.MemorySegment;

/**
 * A range of memory that the device can reach, known by a number. Keeps the memory alive; every raw
 * access of the device lies inside one of these, which is checked when an object is placed in it or
 * a key is translated.
 */
public final class Umem {
  private final int number;
  private final MemorySegment memory;
  private int users;

  public Umem(int number, MemorySegment memory) {
    this.number = number;
    this.memory = memory;
  }

  public int number() {
    return number;
  }

  /** Where the device reaches the first byte. */
  public long address() {
    return memory.address();
  }

  public long length() {
    return memory.byteSize();
  }

  /** True when {@code [offset, offset + bytes)} lies inside; any values are accepted. */
  public boolean contains(long offset, long bytes) {
    return offset >= 0 && bytes >= 0 && bytes <= length() && offset <= length() - bytes;
  }

  /** Counts an object that lives in this memory. */
  public void use() {
    users++;
  }

  public void release() {
    users--;
  }

  /** Objects that live in this memory. */
  public int users() {
    return users;
  }
}
