package dev.bluebell.verbs;

import dev.bluebell.hca.HcaMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/**
 * Memory that a device may access. Thread-safe; the bytes themselves are shared with the device,
 * which orders its writes before the completion that tells of them.
 */
public final class MemoryRegion implements AutoCloseable {
  private final ProtectionDomain domain;
  private final MemorySegment segment;
  private final long address;
  private final List<Lifetime> used;
  private final int lkey;
  private final int rkey;
  private final boolean writable;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  /** Registers memory of this process, which requests name by its own address. */
  MemoryRegion(ProtectionDomain domain, MemorySegment segment, Set<Access> access) {
    this(domain, List.of(domain.lifetime()), segment, access);
  }

  /** Registers memory of a queue, which must outlive the region. */
  MemoryRegion(ProtectionDomain domain, Lifetime queue, MemorySegment segment, Set<Access> access) {
    this(domain, List.of(domain.lifetime(), queue), segment, access);
  }

  private MemoryRegion(
      ProtectionDomain domain, List<Lifetime> used, MemorySegment segment, Set<Access> access) {
    this(
        domain,
        used,
        segment,
        segment.address(),
        access,
        domain
            .device()
            .hca()
            .registerMemory(domain.object(), segment, segment.address(), Access.bits(access)));
  }

  /** Registers memory of the device, which requests name from 0. */
  MemoryRegion(ProtectionDomain domain, DeviceMemory memory, Set<Access> access) {
    this(
        domain,
        List.of(domain.lifetime(), memory.lifetime()),
        memory.segment(),
        0,
        access,
        memory.register(domain, Access.bits(access)));
  }

  /** True when the local device may write to it. */
  boolean isWritable() {
    return writable;
  }

  /** Checks that it may be used together with another object of a domain. */
  void requireIn(ProtectionDomain users) {
    lifetime.requireOpen();
    if (users != domain) {
      throw new IllegalArgumentException(
          "%s belongs to %s and the queue that names it to %s: use one domain for both"
              .formatted(this, domain, users));
    }
  }

  private MemoryRegion(
      ProtectionDomain domain,
      List<Lifetime> used,
      MemorySegment segment,
      long address,
      Set<Access> access,
      HcaMemory memory) {
    this.domain = domain;
    this.segment = segment;
    this.address = address;
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

  /** The memory. */
  public MemorySegment segment() {
    return segment;
  }

  /** Address of the first byte, by which requests name it; 0 for memory of the device. */
  public long address() {
    return address;
  }

  /** What a peer needs to name this memory in its requests. */
  public RemoteMemory remote() {
    return new RemoteMemory(address(), rkey, length());
  }

  /** Size in bytes. */
  public long length() {
    return segment.byteSize();
  }

  /** Key for gather and scatter entries of the local device. */
  public int lkey() {
    return lkey;
  }

  /** Key for peers. */
  public int rkey() {
    return rkey;
  }

  /**
   * Ends the registration; waits until the device no longer touches the memory. Later requests that
   * name its keys fail. Idempotent.
   */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      used.forEach(object -> object.removeUser(this));
      domain.device().remove(this);
    }
  }

  /** Says that the region uses its objects; when one of them is closed, the region is. */
  void useObjects() {
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
