package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair for memory with relaxed ordering, where the data of requests may
 * become visible in another order than that of the requests. Requests of it report success, and
 * give ring space back, only when they are signalled <em>and fenced</em>: {@link
 * RelaxedModifiers#fence} comes before {@link RequestEnd#signaled}, or the program does not
 * compile. A completion then tells of all requests before it.
 *
 * <p>This is a conservative contract of the driver. Devices complete requests in order, ordering is
 * a property of memory keys, and a queue pair on the wire is the same as an {@link RcQueuePair};
 * but a completion that is not fenced would tell less there than a program is used to read from it.
 *
 * <p>Threads: as {@link RcQueuePair}.
 */
public interface RelaxedRcQueuePair
    extends ConnectedReceivingQueuePair, Operations<RelaxedData, RelaxedLanding, RelaxedAtomic> {}
