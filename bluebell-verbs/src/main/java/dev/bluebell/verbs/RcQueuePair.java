package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair.
 *
 * <p>A request is built in stages, from its opcode to {@link RequestEnd#signaled} or {@link
 * RequestEnd#unsignaled}, and the device sees it after {@link #ringDoorbell}. A stage that throws
 * drops its request and leaves the queue unchanged.
 *
 * <p>Posting and ringing belong to one thread at a time. Connecting, querying, modifying and
 * closing are thread-safe; {@link #reset} is part of the data path.
 */
public interface RcQueuePair extends ReliableQueuePair {}
