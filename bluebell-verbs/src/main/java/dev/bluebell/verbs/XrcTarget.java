package dev.bluebell.verbs;

/**
 * The receiving end of an extended reliable connection (XRC target): it has no queue, and takes the
 * requests of one {@link XrcInitiator} for the shared receive queues of its domain. Completions are
 * those of these queues and carry its number. Mirrors {@code verbs.h: IBV_QPT_XRC_RECV}.
 *
 * <p>Thread-safe.
 */
public interface XrcTarget extends TargetQueuePair {}
