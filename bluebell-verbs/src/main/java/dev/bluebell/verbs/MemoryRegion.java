package dev.bluebell.verbs;

import dev.bluebell.hca.HcaMemory;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Memory that a device may access. Thread-safe; the bytes themselves are shared with the device,
 * which orders its writes before the completion that tells of them.
 */
public final class MemoryRegion implements AutoCloseable {
  private final ProtectionDomain domain;
  private final MemorySegment segment;
  private final HcaMemory memory;
  private final int lkey;
  private final int rkey;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  MemoryRegion(ProtectionDomain domain, MemorySegment segment, Set<Access> access) {
    this.domain = domain;
    this.segment = segment;
    memory =
        domain
            .device()
            .hca()
            .registerMemory(domain.object(), segment, segment.address(), Access.bits(access));
    teardown.add(memory::close);
    lkey = memory.lkey();
    rkey = memory.rkey();
    if (access.contains(Access.LOCAL_WRITE)) {
      domain.device().localMemory().add(lkey, segment.address(), segment);
      teardown.add(() -> domain.device().localMemory().remove(lkey));
    }
    lifetime = new Lifetime("memory region with lkey 0x%08x".formatted(lkey));
  }

  /** The memory. */
  public MemorySegment segment() {
    return segment;
  }

  /** Address of the first byte, by which requests name it. */
  public long address() {
    return segment.address();
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
      domain.lifetime().removeUser(this);
      domain.device().remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
