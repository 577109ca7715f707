package dev.bluebell.verbs.memory;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Lifetime;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Registers memory in a domain. */
public final class Registration {
  private Registration() {}

  /** Registers new memory. */
  public static MemoryRegionImpl allocate(Domain domain, long bytes, Access... access) {
    domain.lifetime().requireOpen();
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "a memory region has at least 1 byte, not %d".formatted(bytes));
    }
    return register(domain, allocateNative(domain, bytes), access);
  }

  private static MemorySegment allocateNative(Domain domain, long bytes) {
    try {
      return domain.device().hca().allocate(bytes);
    } catch (OutOfMemoryError e) {
      OutOfMemoryError named =
          new OutOfMemoryError(
              e.getMessage() == null
                  ? "%d bytes of native memory can't be allocated: no JVM has so much"
                      .formatted(bytes)
                  : "%d bytes of native memory can't be allocated (%s): start the JVM with a larger -XX:MaxDirectMemorySize"
                      .formatted(bytes, e.getMessage()));
      named.initCause(e);
      throw named;
    }
  }

  /** Registers memory of the application. */
  public static MemoryRegionImpl register(Domain domain, MemorySegment memory, Access... access) {
    domain.lifetime().requireOpen();
    Objects.requireNonNull(memory, "the memory is null");
    Set<Access> rights = AccessSets.of(access);
    requireSuitable(memory, rights);
    return DeviceObject.create(
        domain.device(),
        () -> new MemoryRegionImpl(domain, List.of(domain.lifetime()), memory, rights));
  }

  /** Registers memory of the device. */
  public static MemoryRegionImpl register(
      Domain domain, DeviceMemoryImpl memory, Access... access) {
    domain.lifetime().requireOpen();
    domain.requireUsable(memory);
    Set<Access> rights = AccessSets.of(access);
    requireConsistent(rights);
    return DeviceObject.create(domain.device(), () -> new MemoryRegionImpl(domain, memory, rights));
  }

  /** Registers a DMA-BUF; see {@link dev.bluebell.verbs.ProtectionDomain#registerDmaBuf}. */
  public static MemoryRegionImpl registerDmaBuf(
      Domain domain, int descriptor, long offset, long bytes, Access... access) {
    domain.lifetime().requireOpen();
    if (descriptor < 0 || offset < 0 || bytes < 1 || offset > Long.MAX_VALUE - bytes) {
      throw new IllegalArgumentException(
          "DMA-BUF %d cannot have %d bytes at offset %d".formatted(descriptor, bytes, offset));
    }
    Set<Access> rights = AccessSets.of(access);
    requireConsistent(rights);
    return DeviceObject.create(
        domain.device(),
        () -> MemoryRegionImpl.ofDmaBuf(domain, descriptor, offset, bytes, rights));
  }

  /** Registers memory of a queue of the domain; the region must be closed before the queue. */
  public static MemoryRegionImpl ofQueue(
      Domain domain, MemorySegment memory, Lifetime queue, Access... access) {
    queue.requireOpen();
    Set<Access> rights = AccessSets.of(access);
    requireConsistent(rights);
    return DeviceObject.create(
        domain.device(),
        () -> new MemoryRegionImpl(domain, List.of(domain.lifetime(), queue), memory, rights));
  }

  private static void requireSuitable(MemorySegment memory, Set<Access> rights) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "a device can't access heap memory: copy it into a region of ProtectionDomain.allocate");
    }
    if (!MemoryOwnership.isUnfreeable(memory)) {
      throw new IllegalArgumentException(
          "the memory's arena could be closed while the device accesses it: allocate it in"
              + " Arena.ofAuto() or Arena.global(), or with ProtectionDomain.allocate");
    }
    if (memory.byteSize() < 1) {
      throw new IllegalArgumentException("a memory region has at least 1 byte, not 0");
    }
    requireConsistent(rights);
    if (rights.contains(Access.LOCAL_WRITE) && memory.isReadOnly()) {
      throw new IllegalArgumentException(
          "the memory segment is read-only: register it without LOCAL_WRITE");
    }
  }

  private static void requireConsistent(Set<Access> rights) {
    boolean remoteChange =
        rights.contains(Access.REMOTE_WRITE) || rights.contains(Access.REMOTE_ATOMIC);
    if (remoteChange && !rights.contains(Access.LOCAL_WRITE)) {
      throw new IllegalArgumentException(
          "REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE: add it");
    }
  }
}
