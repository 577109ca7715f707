package dev.bluebell.verbs;

/**
 * A destination of datagrams, prepared so that a request only copies it. It holds no resource; all
 * queue pairs of its port may use it for any number of requests. Immutable. Created by {@link
 * UdQueuePair#addressHandle}.
 */
public interface AddressHandle {
  /** Where datagrams go. */
  UdEndpoint destination();
}
