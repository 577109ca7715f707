package dev.bluebell.verbs;

/** The operations of reliable services: those of any connection, and those that need responses. */
@CheckReturnValue
public interface ReliableOperations
    extends WriteOperations, Operations<RequestData, RequestLanding, AtomicScatter> {}
