package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair for memory with relaxed ordering, in which data may become
 * visible in an order other than that of the requests. A request reports success and frees ring
 * space only when it is signalled <em>and fenced</em>: code that calls {@link RequestEnd#signaled}
 * without {@link RelaxedModifiers#fence} does not compile. A completion then implies that all
 * requests before it have completed.
 *
 * <p>The fence is a precaution of the driver: by the manual page of {@code ibv_reg_mr}, a
 * completion covers everything before it even without one. Ordering is a property of memory keys,
 * and on the wire this queue pair equals an {@link RcQueuePair}.
 *
 * <p>Threads: as {@link RcQueuePair}.
 */
public interface RelaxedRcQueuePair
    extends ConnectedReceivingQueuePair, Operations<RelaxedData, RelaxedLanding, RelaxedAtomic> {}
