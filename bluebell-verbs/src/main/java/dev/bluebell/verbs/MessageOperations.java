package dev.bluebell.verbs;

/** The operations that every service has: messages to the receive requests of a peer. */
@CheckReturnValue
public interface MessageOperations extends SendingOperations<RequestData> {}
