package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.AllocMemicIn;
import dev.bluebell.hca.command.AllocMemicOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DeviceMemCap;
import dev.bluebell.hca.command.View;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the device itself (MEMIC), which peers reach without the host's memory. Mirrors {@code
 * verbs.h: ibv_alloc_dm}. {@link ProtectionDomain#register(DeviceMemory, Access...)} makes it a
 * region, whose bytes requests name from address 0.
 *
 * <p>Allocating and closing are thread-safe; the bytes are shared with the device.
 */
public final class DeviceMemory implements AutoCloseable {
  private final Device device;
  private final long address;
  private final MemorySegment segment;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  private DeviceMemory(Device device, HcaObject object, long address, MemorySegment segment) {
    this.device = device;
    this.address = address;
    this.segment = segment;
    teardown.add(object::close);
    lifetime = new Lifetime("device memory at 0x%x".formatted(address));
  }

  /** Allocates memory; see {@link Device#allocateDeviceMemory}. */
  static DeviceMemory allocate(Device device, long bytes) {
    View caps = DeviceAttributes.capabilities(device.hca(), CapabilityType.DEV_MEM);
    if (!caps.isSet(DeviceMemCap.MEMIC)) {
      throw new UnsupportedOperationException(
          device.name()
              + " has no memory of its own that this process can reach: use"
              + " ProtectionDomain.allocate");
    }
    long unit = 1L << caps.getInt(DeviceMemCap.LOG_MIN_MEMIC_ALLOC_SIZE);
    long most = caps.get(DeviceMemCap.MAX_MEMIC_SIZE);
    if (bytes < 1 || bytes > most) {
      throw new IllegalArgumentException(
          "device memory of %s has 1 to %d bytes, not %d".formatted(device.name(), most, bytes));
    }
    long start = caps.get(DeviceMemCap.MEMIC_BAR_START_ADDR);
    long bar = caps.get(DeviceMemCap.MEMIC_BAR_SIZE);
    byte[] command =
        View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
            .set(AllocMemicIn.RANGE_START_ADDR, start)
            .set(AllocMemicIn.RANGE_SIZE, bar)
            .set(AllocMemicIn.MEMIC_SIZE, -(-bytes & -unit))
            .bytes();
    MemorySegment window = device.memoryWindow(bar);
    HcaObject object = device.hca().allocateDeviceMemory(command, window);
    long address = View.over(object.output()).get(AllocMemicOut.MEMIC_START_ADDR);
    try {
      return new DeviceMemory(device, object, address, window.asSlice(address - start, bytes));
    } catch (IndexOutOfBoundsException e) {
      object.close();
      throw new IllegalStateException(
          "%s gave memory at 0x%x, which is not in its BAR at 0x%x"
              .formatted(device.name(), address, start),
          e);
    }
  }

  /** Size in bytes. */
  public long length() {
    return segment.byteSize();
  }

  /**
   * Copies bytes into the device.
   *
   * @param offset of the first byte in this memory
   * @throws IndexOutOfBoundsException when a range is not all in its memory
   */
  public void copyFrom(MemorySegment source, long from, long offset, long bytes) {
    lifetime.requireOpen();
    MemorySegment.copy(source, from, segment, offset, bytes);
  }

  /**
   * Copies bytes out of the device.
   *
   * @param offset of the first byte in this memory
   * @throws IndexOutOfBoundsException when a range is not all in its memory
   */
  public void copyTo(long offset, MemorySegment target, long to, long bytes) {
    lifetime.requireOpen();
    MemorySegment.copy(segment, offset, target, to, bytes);
  }

  /**
   * Frees the memory. Idempotent.
   *
   * @throws IllegalStateException when memory regions of it still exist
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }

  Device device() {
    return device;
  }

  /** Address of the first byte in the device. */
  long address() {
    return address;
  }

  MemorySegment segment() {
    return segment;
  }

  Lifetime lifetime() {
    return lifetime;
  }
}
