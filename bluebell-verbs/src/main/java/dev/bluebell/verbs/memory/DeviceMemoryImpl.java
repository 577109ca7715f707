package dev.bluebell.verbs.memory;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.object.DeviceCapabilities;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Implements {@link DeviceMemory}. */
public final class DeviceMemoryImpl extends DeviceObject implements DeviceMemory {
  private final HcaObject object;
  private final MemorySegment segment;
  private final long address;

  private DeviceMemoryImpl(
      DeviceContext device, HcaObject object, long address, MemorySegment segment) {
    super(device, new Teardown(), List.of());
    this.object = object;
    this.address = address;
    this.segment = segment;
    teardown.add(object::close);
  }

  /** Allocates memory; see {@link Device#allocateDeviceMemory}. */
  public static DeviceMemoryImpl allocate(DeviceContext device, long bytes) {
    View caps = DeviceCapabilities.capabilities(device.hca(), CapabilityType.DEV_MEM);
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
      return new DeviceMemoryImpl(device, object, address, window.asSlice(address - start, bytes));
    } catch (IndexOutOfBoundsException e) {
      object.close();
      throw new IllegalStateException(
          "%s returned memory at 0x%x, which is not in its BAR at 0x%x"
              .formatted(device.name(), address, start),
          e);
    }
  }

  @Override
  public long length() {
    return segment.byteSize();
  }

  @Override
  public void copyFrom(MemorySegment source, long from, long offset, long bytes) {
    lifetime.requireOpen();
    MemorySegment.copy(source, from, segment, offset, bytes);
  }

  @Override
  public void copyTo(long offset, MemorySegment target, long to, long bytes) {
    lifetime.requireOpen();
    MemorySegment.copy(segment, offset, target, to, bytes);
  }

  @Override
  public String toString() {
    return "device memory at 0x%x".formatted(address);
  }

  /** Makes a key by which requests name the bytes from 0. */
  public HcaMemory register(Domain domain, int access) {
    DeviceAttributes attributes = device.attributes();
    boolean relaxes = attributes.relaxedWrites() && attributes.relaxedReads();
    return device
        .hca()
        .registerDeviceMemory(
            domain.object(),
            object,
            length(),
            relaxes ? access : access & ~HcaAccess.RELAXED_ORDERING);
  }

  public MemorySegment segment() {
    return segment;
  }
}
