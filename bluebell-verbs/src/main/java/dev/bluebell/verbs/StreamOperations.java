package dev.bluebell.verbs;

/**
 * The operations on a stream of a DC initiator. They are those of {@link ReliableOperations}, but
 * every request is signalled: requests of other streams complete in between, so that a completion
 * tells of its own request alone.
 */
@CheckReturnValue
public interface StreamOperations
    extends Operations<StreamData, StreamLanding, StreamAtomicScatter> {}
