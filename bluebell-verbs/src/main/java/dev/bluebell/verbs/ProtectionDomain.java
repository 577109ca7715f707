package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * A protection domain: queue pairs of it may use memory regions of it, and no others. Thread-safe.
 */
public final class ProtectionDomain implements AutoCloseable {
  private final Device device;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  ProtectionDomain(Device device) {
    this.device = device;
    object = device.hca().allocateProtectionDomain();
    teardown.add(object::close);
    lifetime = new Lifetime("protection domain %d".formatted(object.number()));
  }

  /**
   * Allocates zeroed, page-aligned memory and registers it. It is freed some time after the region
   * is closed and nothing refers to its segment any more.
   *
   * @param bytes at least 1
   * @param access rights beside local reading; remote writing and atomics require local writing
   * @throws OutOfMemoryError when the JVM may not have so much; the message names the option
   */
  public MemoryRegion allocate(long bytes, Access... access) {
    lifetime.requireOpen();
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "a memory region has at least 1 byte, not %d".formatted(bytes));
    }
    return register(allocateNative(bytes), access);
  }

  private MemorySegment allocateNative(long bytes) {
    try {
      return device.hca().allocate(bytes);
    } catch (OutOfMemoryError e) {
      OutOfMemoryError named =
          new OutOfMemoryError(
              "%d bytes of native memory can't be had (%s): start the JVM with a larger -XX:MaxDirectMemorySize"
                  .formatted(bytes, e.getMessage()));
      named.initCause(e);
      throw named;
    }
  }

  /**
   * Registers memory that exists.
   *
   * @param memory native memory of an automatic or the global arena, so that nobody can free it
   *     under the device; also the memory of a direct {@link java.nio.ByteBuffer}
   * @param access rights beside local reading; remote writing and atomics require local writing
   * @throws IllegalArgumentException when the memory or the rights are not as required
   */
  public MemoryRegion register(MemorySegment memory, Access... access) {
    lifetime.requireOpen();
    Set<Access> rights = Access.setOf(access);
    requireSuitable(memory, rights);
    return use(new MemoryRegion(this, memory, rights));
  }

  /**
   * Registers memory of the device. Requests name its bytes from address 0; data for it may be
   * copied through {@link MemoryRegion#segment()}, too.
   *
   * @param memory of the same device
   * @param access as for {@link #register(MemorySegment, Access...)}
   */
  public MemoryRegion register(DeviceMemory memory, Access... access) {
    lifetime.requireOpen();
    memory.lifetime().requireOpen();
    if (memory.device() != device) {
      throw new IllegalArgumentException(
          "%s belongs to %s and %s to %s: use one device for both"
              .formatted(memory, memory.device(), this, device));
    }
    Set<Access> rights = Access.setOf(access);
    requireConsistent(rights);
    return use(new MemoryRegion(this, memory, rights));
  }

  /** Registers memory of a queue of the domain, which can't be closed before the region. */
  MemoryRegion registerQueue(MemorySegment memory, Lifetime queue, Access... access) {
    queue.requireOpen();
    Set<Access> rights = Access.setOf(access);
    requireConsistent(rights);
    return use(new MemoryRegion(this, queue, memory, rights));
  }

  /**
   * Allocates a memory window, which queue pairs of the domain bind to parts of its regions.
   *
   * @throws dev.bluebell.hca.HcaException when the device has no more
   */
  public MemoryWindow allocateWindow(WindowType type) {
    lifetime.requireOpen();
    return device.add(new MemoryWindow(this, type).useDomain());
  }

  /**
   * Allocates a region that is made of pieces of others, by requests of queue pairs of the domain.
   *
   * @param pieces that a layout may have, 1 … 52; an interleaved layout has one less
   */
  public IndirectRegion allocateIndirect(int pieces) {
    lifetime.requireOpen();
    if (pieces < 1 || pieces > IndirectRegion.MAX_PIECES) {
      throw new IllegalArgumentException(
          "an indirect region has 1 to %d pieces, not %d"
              .formatted(IndirectRegion.MAX_PIECES, pieces));
    }
    return device.add(new IndirectRegion(this, pieces).useDomain());
  }

  private MemoryRegion use(MemoryRegion region) {
    region.useObjects();
    return device.add(region);
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

  /**
   * Starts to describe a reliable-connection queue pair.
   *
   * @param completions where its requests complete, unless receives get a queue of their own
   */
  public RcQueuePairBuilder rcQueuePair(CompletionQueue completions) {
    return new RcQueuePairBuilder(this, completions);
  }

  /**
   * Starts to describe an unreliable-connection queue pair.
   *
   * @param completions where its requests complete, unless receives get a queue of their own
   */
  public UcQueuePairBuilder ucQueuePair(CompletionQueue completions) {
    return new UcQueuePairBuilder(this, completions);
  }

  /**
   * Starts to describe a datagram queue pair.
   *
   * @param completions where its requests complete, unless receives get a queue of their own
   */
  public UdQueuePairBuilder udQueuePair(CompletionQueue completions) {
    return new UdQueuePairBuilder(this, completions);
  }

  /**
   * Starts to describe a shared receive queue, which queue pairs of any domain may receive from.
   */
  public SharedReceiveQueueBuilder sharedReceiveQueue() {
    return new SharedReceiveQueueBuilder(this);
  }

  /**
   * Starts to describe a receive queue whose entries take many messages each, which reliable
   * connections and DC targets of any domain may receive from.
   */
  public StridingReceiveQueueBuilder stridingReceiveQueue() {
    return new StridingReceiveQueueBuilder(this);
  }

  /**
   * Starts to describe a tag-matching receive queue, which reliable connections may receive from.
   *
   * @param completions where everything that it tells comes to; one thread polls it
   */
  public TagMatchingReceiveQueueBuilder tagMatchingReceiveQueue(CompletionQueue completions) {
    return new TagMatchingReceiveQueueBuilder(this, completions);
  }

  /**
   * Starts to describe an initiator of dynamic connections.
   *
   * @param completions where its requests complete
   */
  public DcInitiatorBuilder dcInitiator(CompletionQueue completions) {
    return new DcInitiatorBuilder(this, completions);
  }

  /**
   * Starts to describe an initiator of dynamic connections with streams.
   *
   * @param completions where its requests complete
   * @param streams how many, 2 … 32768; rounded up to a power of two
   */
  public DcStreamInitiatorBuilder dcStreamInitiator(CompletionQueue completions, int streams) {
    return new DcStreamInitiatorBuilder(this, completions, streams);
  }

  /**
   * Starts to describe a target of dynamic connections.
   *
   * @param completions where messages to it complete
   * @param receives whose requests they take
   */
  public DcTargetBuilder dcTarget(CompletionQueue completions, SharedReceiveQueue receives) {
    return new DcTargetBuilder(this, completions, receives.shared());
  }

  /**
   * Starts to describe a target of dynamic connections whose messages take strides.
   *
   * @param completions where their packets complete
   * @param receives whose strides they take
   */
  public DcTargetBuilder dcTarget(CompletionQueue completions, StridingReceiveQueue receives) {
    return new DcTargetBuilder(this, completions, receives.shared());
  }

  /**
   * Starts to describe an initiator of extended reliable connections.
   *
   * @param completions where its requests complete
   */
  public XrcInitiatorBuilder xrcInitiator(CompletionQueue completions) {
    return new XrcInitiatorBuilder(this, completions);
  }

  /**
   * Starts to describe a shared receive queue of extended reliable connections.
   *
   * @param xrcDomain whose targets take messages for it
   * @param completions where its requests complete
   */
  public XrcSharedReceiveQueueBuilder xrcSharedReceiveQueue(
      XrcDomain xrcDomain, CompletionQueue completions) {
    return new XrcSharedReceiveQueueBuilder(this, xrcDomain, completions);
  }

  /** Number of the domain, 24 bits. */
  public int number() {
    return object.number();
  }

  /**
   * Frees the domain. Idempotent.
   *
   * @throws IllegalStateException when memory regions, queue pairs or shared receive queues of it
   *     still exist
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

  /** Checks that what is used together with this domain is open and belongs to its device. */
  void requireUsable(Object part, Device owner, Lifetime partLifetime) {
    partLifetime.requireOpen();
    if (owner != device) {
      throw new IllegalArgumentException(
          "%s belongs to %s and %s to %s: use one device for both"
              .formatted(part, owner, this, device));
    }
  }

  Device device() {
    return device;
  }

  HcaObject object() {
    return object;
  }

  Lifetime lifetime() {
    return lifetime;
  }
}
