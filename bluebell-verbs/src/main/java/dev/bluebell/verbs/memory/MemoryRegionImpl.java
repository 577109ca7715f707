package dev.bluebell.verbs.memory;

import dev.bluebell.hca.HcaMemory;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** Implements {@link MemoryRegion}. */
public final class MemoryRegionImpl extends DeviceObject implements MemoryRegion {
  private final Domain domain;
  private final MemorySegment segment;
  private final long address;
  private final long length;
  private final int lkey;
  private final int rkey;
  private final boolean writable;

  /**
   * Registers memory of this process, which requests name by its own address.
   *
   * @param used the objects that must outlive the region
   */
  public MemoryRegionImpl(
      Domain domain, List<Lifetime> used, MemorySegment segment, Set<Access> access) {
    this(
        domain,
        used,
        segment,
        segment.address(),
        segment.byteSize(),
        access,
        domain
            .device()
            .hca()
            .registerMemory(domain.object(), segment, segment.address(), AccessSets.bits(access)));
  }

  /** Registers memory of the device, which requests name from 0. */
  public MemoryRegionImpl(Domain domain, DeviceMemoryImpl memory, Set<Access> access) {
    this(
        domain,
        List.of(domain.lifetime(), memory.lifetime()),
        memory.segment(),
        0,
        memory.segment().byteSize(),
        access,
        memory.register(domain, AccessSets.bits(access)));
  }

  /** Registers a DMA-BUF, which requests name by its offsets. */
  public static MemoryRegionImpl ofDmaBuf(
      Domain domain, int descriptor, long offset, long bytes, Set<Access> access) {
    return new MemoryRegionImpl(
        domain,
        List.of(domain.lifetime()),
        MemorySegment.NULL,
        offset,
        bytes,
        access,
        domain
            .device()
            .hca()
            .registerDmaBuf(domain.object(), descriptor, offset, bytes, AccessSets.bits(access)));
  }

  /** True when the local device may write to it. */
  public boolean isWritable() {
    return writable;
  }

  /** Checks that it may be used together with another object of a domain. */
  public void requireIn(Domain users) {
    domain.requireUser(this, users, "queue that names it");
  }

  private MemoryRegionImpl(
      Domain domain,
      List<Lifetime> used,
      MemorySegment segment,
      long address,
      long length,
      Set<Access> access,
      HcaMemory memory) {
    super(domain.device(), new Teardown(), used);
    this.domain = domain;
    this.segment = segment;
    this.address = address;
    this.length = length;
    teardown.add(memory::close);
    lkey = memory.lkey();
    rkey = memory.rkey();
    writable = access.contains(Access.LOCAL_WRITE);
    if (writable) {
      try {
        teardown.addAfterLatest(device.localMemory().add(lkey, address, segment));
      } catch (RuntimeException | Error e) {
        throw teardown.runAfter(e);
      }
    }
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public RemoteMemory remote() {
    return new RemoteMemory(address(), rkey, length());
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int lkey() {
    return lkey;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public String toString() {
    return "memory region with lkey 0x%08x".formatted(lkey);
  }
}
