package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A protection domain: queue pairs of it may use memory regions of it, and no others. Thread-safe.
 */
public interface ProtectionDomain extends AutoCloseable {
  /**
   * Allocates zeroed, page-aligned memory and registers it. It is freed some time after the region
   * is closed and nothing refers to its segment any more.
   *
   * @param bytes at least 1
   * @param access rights beside local reading; remote writing and atomics require local writing
   * @throws OutOfMemoryError when the JVM may not have so much; the message names the option
   */
  MemoryRegion allocate(long bytes, Access... access);

  /**
   * Registers memory that exists.
   *
   * @param memory native memory of an automatic or the global arena, so that nobody can free it
   *     under the device; also the memory of a direct {@link java.nio.ByteBuffer}
   * @param access rights beside local reading; remote writing and atomics require local writing
   * @throws IllegalArgumentException when the memory or the rights are not as required
   */
  MemoryRegion register(MemorySegment memory, Access... access);

  /**
   * Registers memory of the device. Requests name its bytes from address 0; data for it may be
   * copied through {@link MemoryRegion#segment()}, too.
   *
   * @param memory of the same device
   * @param access as for {@link #register(MemorySegment, Access...)}
   */
  MemoryRegion register(DeviceMemory memory, Access... access);

  /**
   * Allocates a memory window, which queue pairs of the domain bind to parts of its regions.
   *
   * @throws dev.bluebell.hca.HcaException when the device has no more
   */
  MemoryWindow allocateWindow(WindowType type);

  /**
   * Allocates a region that is made of pieces of others, by requests of queue pairs of the domain.
   *
   * @param pieces that a layout may have, 1 … 52; an interleaved layout has one less
   */
  IndirectRegion allocateIndirect(int pieces);

  /**
   * Starts to describe a reliable-connection queue pair.
   *
   * @param completions where its requests complete, unless receives get a queue of their own
   */
  RcQueuePairBuilder rcQueuePair(CompletionQueue completions);

  /**
   * Starts to describe an unreliable-connection queue pair.
   *
   * @param completions where its requests complete, unless receives get a queue of their own
   */
  UcQueuePairBuilder ucQueuePair(CompletionQueue completions);

  /**
   * Starts to describe a datagram queue pair.
   *
   * @param completions where its requests complete, unless receives get a queue of their own
   */
  UdQueuePairBuilder udQueuePair(CompletionQueue completions);

  /**
   * Starts to describe a shared receive queue, which queue pairs of any domain may receive from.
   */
  SharedReceiveQueueBuilder sharedReceiveQueue();

  /**
   * Starts to describe a receive queue whose entries take many messages each, which reliable
   * connections and DC targets of any domain may receive from.
   */
  StridingReceiveQueueBuilder stridingReceiveQueue();

  /**
   * Starts to describe a tag-matching receive queue, which reliable connections may receive from.
   *
   * @param completions where everything that it tells comes to; one thread polls it
   */
  TagMatchingReceiveQueueBuilder tagMatchingReceiveQueue(CompletionQueue completions);

  /**
   * Starts to describe an initiator of dynamic connections.
   *
   * @param completions where its requests complete
   */
  DcInitiatorBuilder dcInitiator(CompletionQueue completions);

  /**
   * Starts to describe an initiator of dynamic connections with streams.
   *
   * @param completions where its requests complete
   * @param streams how many, 2 … 32768; rounded up to a power of two
   */
  DcStreamInitiatorBuilder dcStreamInitiator(CompletionQueue completions, int streams);

  /**
   * Starts to describe a target of dynamic connections.
   *
   * @param completions where messages to it complete
   * @param receives whose requests they take
   */
  DcTargetBuilder dcTarget(CompletionQueue completions, SharedReceiveQueue receives);

  /**
   * Starts to describe a target of dynamic connections whose messages take strides.
   *
   * @param completions where their packets complete
   * @param receives whose strides they take
   */
  DcTargetBuilder dcTarget(CompletionQueue completions, StridingReceiveQueue receives);

  /**
   * Starts to describe an initiator of extended reliable connections.
   *
   * @param completions where its requests complete
   */
  XrcInitiatorBuilder xrcInitiator(CompletionQueue completions);

  /**
   * Starts to describe a shared receive queue of extended reliable connections.
   *
   * @param xrcDomain whose targets take messages for it
   * @param completions where its requests complete
   */
  XrcSharedReceiveQueueBuilder xrcSharedReceiveQueue(
      XrcDomain xrcDomain, CompletionQueue completions);

  /** Number of the domain, 24 bits. */
  int number();

  /**
   * Frees the domain. Idempotent.
   *
   * @throws IllegalStateException when memory regions, queue pairs or shared receive queues of it
   *     still exist
   */
  @Override
  void close();
}
