package dev.bluebell.verbs;

/** The operations of an unreliable connection: messages and RDMA WRITEs. */
@CheckReturnValue
public interface WriteOperations extends MessageOperations, WritingOperations<RequestData> {}
