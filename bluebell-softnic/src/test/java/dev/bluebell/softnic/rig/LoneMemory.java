package dev.bluebell.softnic.rig;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.queue.CqMemory;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;

/** Memory that parts of a device read and write, by its address or by a key. */
public final class LoneMemory {
  private final Umem umem;
  private int key;

  public LoneMemory(Umem umem) {
    this.umem = umem;
  }

  /** Makes a key for all of it, at its own addresses. */
  public MemoryKey register(KeyTable keys, LoneKey plan) {
    int index = keys.allocateIndex();
    key = index << 8 | keys.nextTag(index);
    MemoryKey made =
        new MemoryKey(key, plan.context(umem.address(), umem.length()), umem, 0, umem.address());
    keys.put(made);
    return made;
  }

  public Umem umem() {
    return umem;
  }

  /** Index and tag of the newest key. */
  public int key() {
    return key;
  }

  public long address(long offset) {
    return umem.address() + offset;
  }

  /** Memory of a completion queue whose ring and doorbell record begin at offsets of it. */
  public CqMemory queue(long ring, long record) {
    return new CqMemory(umem, address(ring), umem, address(record));
  }

  public void put(long offset, byte... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      Memory.putByte(address(offset + i), bytes[i]);
    }
  }

  /** Writes the bytes 1, 2, 3 … to it. */
  public LoneMemory count(long offset, int bytes) {
    for (int i = 0; i < bytes; i++) {
      Memory.putByte(address(offset + i), (byte) (i + 1));
    }
    return this;
  }

  public byte[] bytes(long offset, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = Memory.getByte(address(offset + i));
    }
    return bytes;
  }

  /** The bytes that {@link #count} puts. */
  public static byte[] counted(int bytes) {
    byte[] counted = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      counted[i] = (byte) (i + 1);
    }
    return counted;
  }
}
