package dev.bluebell.verbs;

/** The operations of every service: messages into the receive requests of a peer. */
@CheckReturnValue
public interface MessageOperations extends SendingOperations<RequestData> {}
