package dev.bluebell.verbs;

/**
 * The receiving end of an extended reliable connection (XRC target): it has no queue of its own and
 * receives the requests of one {@link XrcInitiator} for the shared receive queues of its domain.
 * Completions go to the completion queues of these queues and carry the target's number. Mirrors
 * {@code verbs.h: IBV_QPT_XRC_RECV}.
 *
 * <p>Thread-safe.
 */
public interface XrcTarget extends TargetQueuePair {}
