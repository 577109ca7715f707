package dev.bluebell.verbs;

/** The operations of the reliable services: those of a connection, and those that need answers. */
@CheckReturnValue
public interface ReliableOperations
    extends WriteOperations, Operations<RequestData, RequestLanding, AtomicScatter> {}
