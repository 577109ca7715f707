package dev.bluebell.verbs;

/**
 * The operations on a stream of a DC initiator. They are those of {@link ReliableOperations}, but
 * every request is signalled: requests of other streams complete in between, so a completion
 * reports its own request only.
 */
@CheckReturnValue
public interface StreamOperations
    extends Operations<StreamData, StreamLanding, StreamAtomicScatter> {}
