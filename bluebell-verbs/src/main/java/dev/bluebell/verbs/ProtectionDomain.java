package dev.bluebell.verbs;

import java.lang.foreign.MemorySegment;

/** A protection domain: its queue pairs may use only its own memory regions. Thread-safe. */
public interface ProtectionDomain extends AutoCloseable {
  /**
   * Allocates zeroed, page-aligned memory and registers it. The memory is freed some time after the
   * region is closed and nothing refers to its segment.
   *
   * @param bytes at least 1
   * @param access rights in addition to local reading; remote writing and atomics require local
   *     writing
   * @throws OutOfMemoryError when the JVM's limit does not allow it; the message names the option
   */
  MemoryRegion allocate(long bytes, Access... access);

  /**
   * Registers existing memory.
   *
   * @param memory native memory of an automatic or the global arena, which cannot be freed while
   *     the device uses it, or the memory of a direct {@link java.nio.ByteBuffer}
   * @param access rights in addition to local reading; remote writing and atomics require local
   *     writing
   * @throws IllegalArgumentException when the memory or the rights do not meet these requirements
   */
  MemoryRegion register(MemorySegment memory, Access... access);

  /**
   * Registers device memory. Requests address its bytes from 0; data may also be copied to it
   * through {@link MemoryRegion#segment()}.
   *
   * @param memory memory of the same device
   * @param access as for {@link #register(MemorySegment, Access...)}
   */
  MemoryRegion register(DeviceMemory memory, Access... access);

  /**
   * Registers a DMA-BUF: memory of another device, such as a GPU, that this process names by a file
   * descriptor. Requests address its bytes by their offsets in the DMA-BUF, from {@code offset} on.
   * This process need not have mapped it, so {@link MemoryRegion#segment()} is empty.
   *
   * @param descriptor the DMA-BUF; it may be closed afterwards
   * @param offset first byte to register
   * @param bytes number of bytes to register, at least 1
   * @param access as for {@link #register(MemorySegment, Access...)}, without {@link
   *     Access#REMOTE_INVALIDATE}
   * @throws UnsupportedOperationException when the device accesses the memory of processes only, as
   *     the software ConnectX does
   * @throws dev.bluebell.hca.HcaException when the kernel or the card refuses
   */
  MemoryRegion registerDmaBuf(int descriptor, long offset, long bytes, Access... access);

  /**
   * Allocates a memory window, which queue pairs of the domain bind to parts of its regions.
   *
   * @throws dev.bluebell.hca.HcaException when the device has no more windows
   */
  MemoryWindow allocateWindow(WindowType type);

  /**
   * Allocates a region that requests of the domain's queue pairs compose of pieces of other
   * regions.
   *
   * @param pieces maximum number of pieces in a layout, 1 … 52; one fewer if interleaved
   */
  IndirectRegion allocateIndirect(int pieces);

  /**
   * Returns a builder of a reliable-connection queue pair.
   *
   * @param completions queue for its completions, unless receives get a queue of their own
   */
  RcQueuePairBuilder rcQueuePair(CompletionQueue completions);

  /**
   * Returns a builder of an unreliable-connection queue pair.
   *
   * @param completions queue for its completions, unless receives get a queue of their own
   */
  UcQueuePairBuilder ucQueuePair(CompletionQueue completions);

  /**
   * Returns a builder of a datagram queue pair.
   *
   * @param completions queue for its completions, unless receives get a queue of their own
   */
  UdQueuePairBuilder udQueuePair(CompletionQueue completions);

  /**
   * Returns a builder of a shared receive queue, which queue pairs of any domain may receive from.
   */
  SharedReceiveQueueBuilder sharedReceiveQueue();

  /**
   * Returns a builder of a receive queue whose entries take many messages each, which reliable
   * connections and DC targets of any domain may receive from.
   */
  StridingReceiveQueueBuilder stridingReceiveQueue();

  /**
   * Returns a builder of a tag-matching receive queue, which reliable connections may receive from.
   *
   * @param completions queue for all its completions; one thread polls it
   */
  TagMatchingReceiveQueueBuilder tagMatchingReceiveQueue(CompletionQueue completions);

  /**
   * Returns a builder of an initiator of dynamic connections.
   *
   * @param completions queue for its completions
   */
  DcInitiatorBuilder dcInitiator(CompletionQueue completions);

  /**
   * Returns a builder of an initiator of dynamic connections with streams.
   *
   * @param completions queue for its completions
   * @param streams how many, 2 … 32768; rounded up to a power of two
   */
  DcStreamInitiatorBuilder dcStreamInitiator(CompletionQueue completions, int streams);

  /**
   * Returns a builder of a target of dynamic connections.
   *
   * @param completions queue for the completions of its messages
   * @param receives queue whose requests the messages consume
   */
  DcTargetBuilder dcTarget(CompletionQueue completions, SharedReceiveQueue receives);

  /**
   * Returns a builder of a target of dynamic connections whose messages take strides.
   *
   * @param completions queue for the completions of their packets
   * @param receives queue whose strides they consume
   */
  DcTargetBuilder dcTarget(CompletionQueue completions, StridingReceiveQueue receives);

  /**
   * Returns a builder of an initiator of extended reliable connections.
   *
   * @param completions queue for its completions
   */
  XrcInitiatorBuilder xrcInitiator(CompletionQueue completions);

  /**
   * Returns a builder of a shared receive queue of extended reliable connections.
   *
   * @param xrcDomain domain whose targets receive messages for it
   * @param completions queue for its completions
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
