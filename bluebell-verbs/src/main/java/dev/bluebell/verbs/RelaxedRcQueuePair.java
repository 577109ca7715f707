package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair for memory with relaxed ordering, in which data may become
 * visible in an order other than that of the requests. A request reports success and frees ring
 * space only when it is signalled <em>and fenced</em>: code that calls {@link RequestEnd#signaled}
 * without {@link RelaxedModifiers#fence} does not compile. A completion then implies that all
 * requests before it have completed.
 *
 * <p>This is a conservative contract of the driver. Devices complete requests in order, ordering is
 * a property of memory keys, and on the wire this queue pair equals an {@link RcQueuePair}. But
 * without a fence, a completion would guarantee less than applications usually infer from it.
 *
 * <p>Threads: as {@link RcQueuePair}.
 */
public interface RelaxedRcQueuePair
    extends ConnectedReceivingQueuePair, Operations<RelaxedData, RelaxedLanding, RelaxedAtomic> {}
