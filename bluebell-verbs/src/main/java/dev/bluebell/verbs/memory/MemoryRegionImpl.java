package dev.bluebell.verbs.memory;

import dev.bluebell.hca.HcaMemory;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** Implements {@link MemoryRegion}. */
public final class MemoryRegionImpl implements MemoryRegion {
  private final Domain domain;
  private final MemorySegment segment;
  private final long address;
  private final long length;
  private final List<Lifetime> used;
  private final int lkey;
  private final int rkey;
  private final boolean writable;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  /** Registers memory of this process, which requests name by its own address. */
  public MemoryRegionImpl(Domain domain, MemorySegment segment, Set<Access> access) {
    this(domain, List.of(domain.lifetime()), segment, access);
  }

  /** Registers memory of a queue, which must outlive the region. */
  public MemoryRegionImpl(
      Domain domain, Lifetime queue, MemorySegment segment, Set<Access> access) {
    this(domain, List.of(domain.lifetime(), queue), segment, access);
  }

  private MemoryRegionImpl(
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
    lifetime.requireOpen();
    if (users != domain) {
      throw new IllegalArgumentException(
          "%s belongs to %s and the queue that names it to %s: use one domain for both"
              .formatted(this, domain, users));
    }
  }

  private MemoryRegionImpl(
      Domain domain,
      List<Lifetime> used,
      MemorySegment segment,
      long address,
      long length,
      Set<Access> access,
      HcaMemory memory) {
    this.domain = domain;
    this.segment = segment;
    this.address = address;
    this.length = length;
    this.used = used;
    teardown.add(memory::close);
    lkey = memory.lkey();
    rkey = memory.rkey();
    writable = access.contains(Access.LOCAL_WRITE);
    if (writable) {
      domain.device().localMemory().add(lkey, address, segment);
      teardown.add(() -> domain.device().localMemory().remove(lkey));
    }
    lifetime = new Lifetime("memory region with lkey 0x%08x".formatted(lkey));
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
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      used.forEach(object -> object.removeUser(this));
      domain.device().remove(this);
    }
  }

  /** Registers the region as a user of its objects; closes the region if one of them is closed. */
  public void useObjects() {
    try {
      used.forEach(object -> object.addUser(this));
    } catch (IllegalStateException e) {
      close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
